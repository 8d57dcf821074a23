package agents

import (
	"encoding/json"
	"io"
)

// generate is Gemini's generateContent, with streaming.
type generate struct{}

func (generate) read(body []byte) (request, error) {
	type content struct {
		Parts []struct {
			Text     string `json:"text"`
			Response *struct {
				ID       string `json:"id"`
				Response object `json:"response"`
			} `json:"functionResponse"`
		} `json:"parts"`
	}
	var in struct {
		System   content   `json:"systemInstruction"`
		Contents []content `json:"contents"`
		Tools    []struct {
			Functions []struct {
				Name        string `json:"name"`
				Description string `json:"description"`
			} `json:"functionDeclarations"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return request{}, err
	}
	r := request{Results: map[string]string{}}
	for _, t := range in.Tools {
		for _, f := range t.Functions {
			r.Tools = append(r.Tools, tool{Name: f.Name, Description: f.Description})
		}
	}
	for _, c := range append([]content{in.System}, in.Contents...) {
		for _, p := range c.Parts {
			r.Text += "\n" + p.Text
			if p.Response == nil {
				continue
			}
			id := p.Response.ID
			if id == "" { // then the order identifies the call
				id = callID(len(r.Results))
			}
			if text, ok := p.Response.Response["output"].(string); ok {
				r.Results[id] = text
			} else {
				encoded, _ := json.Marshal(p.Response.Response)
				r.Results[id] = string(encoded)
			}
		}
	}
	return r, nil
}

func (generate) write(w io.Writer, id string, offered tool, args object) {
	parts(w, object{"functionCall": object{"id": id, "name": offered.Name, "args": args}})
}

func (generate) say(w io.Writer, text string) { parts(w, object{"text": text}) }

// parts streams an answer with one part.
func parts(w io.Writer, part object) {
	event(w, "", object{
		"candidates":    []object{{"index": 0, "finishReason": "STOP", "content": object{"role": "model", "parts": []object{part}}}},
		"usageMetadata": object{"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
	})
}
