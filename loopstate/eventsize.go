package loopstate

import "reflect"

// MaxEventBytes bounds the texts and values of one event. It is checked before the event is encoded, so that nothing that a
// request brings about can fill the memory with it. Chosen: the events of a draft of 400,000 characters, the longest, have
// some 3 MB.
const MaxEventBytes = 8 << 20

// sizeOf returns the size of the texts and values of a payload, or some number above MaxEventBytes for a larger one. Its JSON
// has at most six times as many bytes, where each character is escaped.
func sizeOf(p Payload) int { return size(reflect.ValueOf(p), MaxEventBytes) }

// size stops at the limit.
func size(v reflect.Value, limit int) int {
	switch v.Kind() {
	case reflect.String:
		return v.Len() + 2
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return 4
		}
		return size(v.Elem(), limit)
	case reflect.Struct:
		n := 2
		for i := 0; i < v.NumField() && n <= limit; i++ {
			if v.Type().Field(i).IsExported() {
				n += size(v.Field(i), limit-n)
			}
		}
		return n
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return v.Len()
		}
		n := 2
		for i := 0; i < v.Len() && n <= limit; i++ {
			n += 1 + size(v.Index(i), limit-n)
		}
		return n
	case reflect.Map:
		n := 2
		for at := v.MapRange(); n <= limit && at.Next(); {
			n += 2 + size(at.Key(), limit-n) + size(at.Value(), limit-n)
		}
		return n
	}
	return 1
}
