package hostname

import "testing"

func TestOurs(t *testing.T) {
	for host, want := range map[string]bool{
		"127.0.0.1:8080": true, "[::1]:8080": true, "::1": true, "[::1]": true, "localhost": true, "LocalHost:1": true, "box.example:80": true, "Box.Example": true,
		"": false, ":80": false, "evil.example:8080": false, "localhost.evil.example": false, "127.0.0.1.evil.example:80": false,
	} {
		if got := Ours(host, "", "box.example"); got != want {
			t.Errorf("%q: %v, want %v", host, got, want)
		}
	}
}
