package grounding

import (
	"strings"
	"unicode/utf8"
)

// measure is a unit that can be converted: an amount in it, times factor, is one in the base unit.
type measure struct {
	base   string
	factor float64
}

// measures are the units as texts write them, folded to lower case: "5 km" is 5,000 metres however it is
// spelt. Months are not convertible. Written by hand from the SI and everyday usage.
var measures = map[string]measure{
	"mm": {"m", 1e-3}, "millimetre": {"m", 1e-3}, "millimeter": {"m", 1e-3}, "cm": {"m", 1e-2}, "centimetre": {"m", 1e-2}, "centimeter": {"m", 1e-2},
	"m": {"m", 1}, "metre": {"m", 1}, "meter": {"m", 1}, "km": {"m", 1e3}, "kilometre": {"m", 1e3}, "kilometer": {"m", 1e3}, "kms": {"m", 1e3},
	"ft": {"ft", 1}, "foot": {"ft", 1}, "feet": {"ft", 1}, "mi": {"mile", 1}, "mile": {"mile", 1}, "yd": {"yard", 1}, "yard": {"yard", 1},
	"inch": {"inch", 1}, "inches": {"inch", 1},
	"mg": {"g", 1e-3}, "milligram": {"g", 1e-3}, "g": {"g", 1}, "gram": {"g", 1}, "gramme": {"g", 1}, "kg": {"g", 1e3}, "kgs": {"g", 1e3}, "kilo": {"g", 1e3},
	"kilogram": {"g", 1e3}, "kilogramme": {"g", 1e3}, "tonne": {"g", 1e6}, "ton": {"ton", 1}, "lb": {"lb", 1}, "lbs": {"lb", 1}, "oz": {"oz", 1}, "ounce": {"oz", 1},
	"ml": {"l", 1e-3}, "millilitre": {"l", 1e-3}, "milliliter": {"l", 1e-3}, "l": {"l", 1}, "litre": {"l", 1}, "liter": {"l", 1},
	"sec": {"s", 1}, "secs": {"s", 1}, "second": {"s", 1}, "min": {"s", 60}, "mins": {"s", 60}, "minute": {"s", 60}, "h": {"s", 3600}, "hr": {"s", 3600},
	"hrs": {"s", 3600}, "hour": {"s", 3600}, "ms": {"s", 1e-3}, "millisecond": {"s", 1e-3},
	"year": {"year", 1}, "yr": {"year", 1}, "yrs": {"year", 1}, "decade": {"year", 10}, "century": {"year", 100}, "centuries": {"year", 100},
	"ha": {"hectare", 1}, "hectare": {"hectare", 1}, "acre": {"acre", 1}, "mph": {"mph", 1},
	"w": {"W", 1}, "watt": {"W", 1}, "kw": {"W", 1e3}, "kilowatt": {"W", 1e3}, "mw": {"W", 1e6}, "megawatt": {"W", 1e6}, "gw": {"W", 1e9}, "gigawatt": {"W", 1e9},
	"kwh": {"Wh", 1e3}, "mwh": {"Wh", 1e6}, "gwh": {"Wh", 1e9}, "twh": {"Wh", 1e12},
	"kb": {"byte", 1e3}, "mb": {"byte", 1e6}, "gb": {"byte", 1e9}, "tb": {"byte", 1e12}, "kilobyte": {"byte", 1e3}, "megabyte": {"byte", 1e6},
	"gigabyte": {"byte", 1e9}, "terabyte": {"byte", 1e12}, "hz": {"Hz", 1}, "khz": {"Hz", 1e3}, "mhz": {"Hz", 1e6}, "ghz": {"Hz", 1e9},
	"celsius": {"°C", 1}, "fahrenheit": {"°F", 1}, "dozen": {"", 12},
}

// longMeasures are those that are not one ASCII word. The longest that fits counts.
var longMeasures = []struct {
	name string
	measure
}{
	{"degrees Celsius", measure{"°C", 1}}, {"degrees celsius", measure{"°C", 1}}, {"degrees Fahrenheit", measure{"°F", 1}}, {"degrees C", measure{"°C", 1}},
	{"degrees F", measure{"°F", 1}}, {"°C", measure{"°C", 1}}, {"℃", measure{"°C", 1}}, {"° C", measure{"°C", 1}}, {"°F", measure{"°F", 1}}, {"° F", measure{"°F", 1}},
	{"摄氏度", measure{"°C", 1}}, {"square kilometres", measure{"km²", 1}}, {"square kilometers", measure{"km²", 1}}, {"sq km", measure{"km²", 1}}, {"sq. km", measure{"km²", 1}},
	{"km²", measure{"km²", 1}}, {"km2", measure{"km²", 1}}, {"平方公里", measure{"km²", 1}}, {"square miles", measure{"sq mi", 1}}, {"sq mi", measure{"sq mi", 1}},
	{"square metres", measure{"m²", 1}}, {"square meters", measure{"m²", 1}}, {"m²", measure{"m²", 1}}, {"平方米", measure{"m²", 1}},
	{"square feet", measure{"sq ft", 1}}, {"sq ft", measure{"sq ft", 1}}, {"cubic metres", measure{"m³", 1}}, {"cubic meters", measure{"m³", 1}}, {"m³", measure{"m³", 1}}, {"立方米", measure{"m³", 1}},
	{"kilometres per hour", measure{"km/h", 1}}, {"kilometers per hour", measure{"km/h", 1}}, {"km/h", measure{"km/h", 1}}, {"kph", measure{"km/h", 1}}, {"kmh", measure{"km/h", 1}},
	{"miles per hour", measure{"mph", 1}}, {"metric tons", measure{"g", 1e6}}, {"metric tonnes", measure{"g", 1e6}},
	{"公里", measure{"m", 1e3}}, {"千米", measure{"m", 1e3}}, {"厘米", measure{"m", 1e-2}}, {"毫米", measure{"m", 1e-3}}, {"米", measure{"m", 1}},
	{"公斤", measure{"g", 1e3}}, {"千克", measure{"g", 1e3}}, {"毫克", measure{"g", 1e-3}}, {"克", measure{"g", 1}}, {"吨", measure{"g", 1e6}}, {"噸", measure{"g", 1e6}},
	{"小时", measure{"s", 3600}}, {"小時", measure{"s", 3600}}, {"分钟", measure{"s", 60}}, {"分鐘", measure{"s", 60}},
	{"公尺", measure{"m", 1}}, {"公分", measure{"m", 1e-2}}, {"毫升", measure{"l", 1e-3}}, {"公升", measure{"l", 1}}, {"升", measure{"l", 1}},
	{"メートル", measure{"m", 1}}, {"キロメートル", measure{"m", 1e3}}, {"センチメートル", measure{"m", 1e-2}}, {"センチ", measure{"m", 1e-2}},
	{"ミリメートル", measure{"m", 1e-3}}, {"グラム", measure{"g", 1}}, {"キログラム", measure{"g", 1e3}}, {"ミリグラム", measure{"g", 1e-3}}, {"トン", measure{"g", 1e6}},
	{"リットル", measure{"l", 1}}, {"ミリリットル", measure{"l", 1e-3}}, {"時間", measure{"s", 3600}}, {"ヘクタール", measure{"hectare", 1}}, {"ワット", measure{"W", 1}},
	{"キロワット", measure{"W", 1e3}}, {"メガワット", measure{"W", 1e6}}, {"キロワット時", measure{"Wh", 1e3}},
	{"千瓦时", measure{"Wh", 1e3}}, {"千瓦", measure{"W", 1e3}}, {"兆瓦", measure{"W", 1e6}}, {"公顷", measure{"hectare", 1}},
}

// measureAt reads a unit that stands at byte from of s; end is where it ends. A number in words counts hours
// and metres, but no abbreviations.
func measureAt(s string, from int, word bool) (u measure, end int, ok bool) {
	for _, long := range longMeasures {
		if from == len(s) || s[from] != long.name[0] || from+len(long.name) <= end {
			continue
		}
		if strings.HasPrefix(s[from:], long.name) {
			u, end, ok = long.measure, from+len(long.name), true
		}
	}
	if ok {
		return u, end, true
	}
	name := asciiWord(s[from:])
	if name == "" || len(name) > 14 || word && len(name) < 3 {
		return measure{}, 0, false
	}
	end = from + len(name)
	if c, _ := utf8.DecodeRuneInString(s[end:]); end < len(s) && (letterOrDigit(s[end]) || c == '²' || c == '³' || c == '/') {
		return measure{}, 0, false
	}
	low := strings.ToLower(name)
	u, ok = measures[low]
	if !ok {
		u, ok = measures[strings.TrimSuffix(low, "s")]
	}
	return u, end, ok
}
