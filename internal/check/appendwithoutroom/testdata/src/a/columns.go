package a

type table struct {
	columns [8][]float64
	names   []string
}

func transpose(rows [][8]float64) *table {
	t := &table{}
	for _, row := range rows {
		for i, v := range row {
			t.columns[i] = append(t.columns[i], v) // want `append grows all of t.columns to a length that is known before the loop`
		}
	}
	return t
}

func variable(rows []*[8]float64) [8][]float64 {
	var columns [8][]float64
	for _, row := range rows {
		for i := range row {
			columns[i] = append(columns[i], row[i]) // want `append grows all of columns`
		}
	}
	return columns
}

// Not reported from here on.

func others(rows [][7]float64) *table {
	t := &table{}
	for _, row := range rows {
		for i, v := range row {
			t.columns[i] = append(t.columns[i], v)
		}
	}
	return t
}

func unequal(rows [][]float64) *table {
	t := &table{}
	for _, row := range rows {
		for i, v := range row {
			t.columns[i] = append(t.columns[i], v)
		}
	}
	return t
}

func some(rows [][8]float64) *table {
	t := &table{}
	for _, row := range rows {
		for i, v := range row {
			if v > 0 {
				t.columns[i] = append(t.columns[i], v)
			}
		}
	}
	return t
}

func leaves(rows [][8]float64) *table {
	t := &table{}
	for _, row := range rows {
		for i, v := range row {
			if v < 0 {
				break
			}
			t.columns[i] = append(t.columns[i], v)
		}
	}
	return t
}

func otherIndex(rows [][8]float64) *table {
	t := &table{}
	for _, row := range rows {
		for i, v := range row {
			t.columns[7-i] = append(t.columns[7-i], v)
		}
	}
	return t
}
