//go:build !goexperiment.jsonv2

package arenajson

import "reflect"

var leavesOfVersion = []reflect.Type{reflect.TypeFor[func()]()}
