package flame

import (
	"fmt"
	"math"

	"github.com/heapwright/heapwright/internal/cost"
	"github.com/heapwright/heapwright/internal/owner"
)

// hsl is a colour: hue in degrees, saturation and lightness in percent.
type hsl struct{ h, s, l float64 }

// theme is the fills of one colour scheme. Light fills bear dark text and dark
// ones light text, at a contrast of 4.5 or more; a test holds them to that.
type theme struct {
	tones   [int(owner.Owners) * shades]hsl
	classes []hsl  // cost.Class → colour
	changes [9]hsl // much less to much more
	rest    hsl    // boxes too narrow to draw one by one
}

// Own code is warm and stands out, the runtime is grey; a package keeps its
// colour in every view. In the colours of cost the program's own code steps
// back, allocating is red to orange and collecting violet to blue.
var (
	light = theme{
		tones: [...]hsl{
			{22, 95, 74}, {32, 97, 70}, {41, 96, 66}, {48, 92, 64}, {13, 90, 78}, {36, 88, 78},
			{208, 78, 79}, {220, 78, 83}, {234, 72, 85}, {250, 70, 86}, {198, 70, 75}, {266, 62, 86},
			{150, 38, 75}, {163, 40, 72}, {174, 38, 72}, {138, 34, 79}, {126, 32, 80}, {184, 36, 76},
			{220, 9, 83}, {220, 9, 79}, {220, 12, 87}, {210, 8, 81}, {230, 9, 85}, {215, 10, 77},
		},
		classes: []hsl{
			cost.Own: {40, 40, 88}, cost.MallocSmall: {14, 92, 74}, cost.MallocLarge: {2, 82, 72},
			cost.Zeroing: {30, 95, 74}, cost.Mark: {262, 72, 82}, cost.Assist: {288, 62, 80}, cost.Sweep: {236, 72, 84},
			cost.Scavenge: {190, 48, 72}, cost.WriteBarrier: {316, 62, 82}, cost.PageFaults: {85, 42, 68},
			cost.OtherRuntime: {220, 8, 82},
		},
		changes: [...]hsl{
			{212, 88, 66}, {212, 84, 75}, {212, 78, 83}, {212, 60, 90}, {220, 10, 90}, {10, 76, 90}, {9, 84, 83},
			{8, 88, 76}, {6, 88, 70},
		},
		rest: hsl{220, 9, 84},
	}
	dark = theme{
		tones: [...]hsl{
			{20, 62, 37}, {30, 66, 34}, {38, 64, 32}, {44, 58, 31}, {12, 54, 39}, {34, 46, 36},
			{210, 46, 38}, {220, 44, 42}, {234, 38, 45}, {250, 36, 46}, {200, 46, 34}, {266, 34, 45},
			{152, 30, 30}, {164, 32, 29}, {174, 32, 28}, {140, 24, 32}, {128, 22, 33}, {184, 30, 29},
			{220, 9, 31}, {220, 9, 28}, {220, 11, 34}, {210, 8, 30}, {230, 9, 33}, {215, 10, 26},
		},
		classes: []hsl{
			cost.Own: {40, 12, 29}, cost.MallocSmall: {14, 60, 40}, cost.MallocLarge: {2, 54, 41},
			cost.Zeroing: {30, 64, 34}, cost.Mark: {262, 38, 47}, cost.Assist: {288, 36, 42}, cost.Sweep: {236, 40, 47},
			cost.Scavenge: {190, 42, 29}, cost.WriteBarrier: {316, 36, 41}, cost.PageFaults: {85, 34, 28},
			cost.OtherRuntime: {220, 8, 32},
		},
		changes: [...]hsl{
			{212, 74, 42}, {212, 62, 38}, {212, 48, 34}, {212, 28, 31}, {220, 9, 28}, {8, 26, 32}, {8, 42, 36},
			{7, 56, 40}, {6, 66, 44},
		},
		rest: hsl{220, 9, 26},
	}
)

// hex writes the colour for SVG and canvas, by the formula of CSS Color 4,
// section 7.1.
func (c hsl) hex() string {
	rgb := c.rgb()
	return fmt.Sprintf("#%02x%02x%02x", byte(math.Round(255*rgb[0])), byte(math.Round(255*rgb[1])),
		byte(math.Round(255*rgb[2])))
}

func (c hsl) rgb() (rgb [3]float64) {
	s, l := c.s/100, c.l/100
	for i, n := range []float64{0, 8, 4} {
		k := math.Mod(n+c.h/30, 12)
		rgb[i] = l - s*min(l, 1-l)*max(-1, min(k-3, 9-k, 1))
	}
	return rgb
}

func hexes(colours []hsl) []string {
	all := make([]string, len(colours))
	for i, c := range colours {
		all[i] = c.hex()
	}
	return all
}

// change returns the number of the colour for a change from before to after: 4
// is none. The steps are by the part of the larger one that came or went.
func change(after, before float64) int {
	larger := max(math.Abs(after), math.Abs(before))
	if larger == 0 {
		return 4
	}
	part, step := (after-before)/larger, 0
	for _, limit := range []float64{0.01, 0.05, 0.2, 0.5} {
		if math.Abs(part) >= limit {
			step++
		}
	}
	if part < 0 {
		return 4 - step
	}
	return 4 + step
}
