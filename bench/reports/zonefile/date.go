// Package zonefile parses the dates of feeds, whose zones are often abbreviations.
package zonefile

import (
	"fmt"
	"strings"
	"time"
)

var layouts = []string{"Mon, 2 Jan 2006 15:04:05", "2 Jan 2006 15:04:05", "2006-01-02 15:04:05"}

// Parse returns the time of a date such as "Tue, 3 Jun 2025 10:00:00 PDT".
func Parse(date string) (time.Time, error) {
	zone := "UTC"
	switch {
	case strings.HasSuffix(date, "PST"), strings.HasSuffix(date, "PDT"):
		zone = "America/Los_Angeles"
	case strings.HasSuffix(date, "EST"), strings.HasSuffix(date, "EDT"):
		zone = "America/New_York"
	}
	location, err := time.LoadLocation(zone)
	if err != nil {
		return time.Time{}, err
	}
	if zone != "UTC" {
		date = strings.TrimSpace(date[:len(date)-3])
	}
	for _, layout := range layouts {
		if t, err := time.ParseInLocation(layout, date, location); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is no date", date)
}
