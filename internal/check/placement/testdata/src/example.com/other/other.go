package other

const Cost = 1
