module ex.com/new

go 1.23
