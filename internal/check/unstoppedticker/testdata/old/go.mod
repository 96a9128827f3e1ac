module ex.com/old

go 1.21
