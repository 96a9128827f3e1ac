module example.org/hard

go 1.13
