package probe

func Missing() map[string]string { return nil }
