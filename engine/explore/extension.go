package explore

import (
	"strings"

	"lcm-tui/data/jstext"
	"lcm-tui/internal/lazyregexp"
)

// typeExtensions are the extensions of files by their media type.
var typeExtensions = map[string]string{
	"application/json": "json", "application/x-ndjson": "json",
	"application/xml": "xml", "text/xml": "xml",
	"application/yaml": "yaml", "application/x-yaml": "yaml",
	"application/csv": "csv", "text/csv": "csv", "text/tab-separated-values": "tsv",
	"application/javascript": "js", "application/typescript": "ts", "text/x-typescript": "ts",
	"application/x-python-code": "py", "text/x-python": "py", "text/x-script.python": "py",
	"application/x-rust": "rs", "text/x-rust": "rs",
	"application/x-sh": "sh", "text/x-shellscript": "sh",
	"text/markdown": "md", "text/plain": "txt",
	"text/x-c": "c", "text/x-c++": "cpp", "text/x-go": "go", "text/x-java": "java",
}

// The extensions and the beginnings of media types of structured data and of code.
var (
	structuredExtensions = []string{"csv", "json", "tsv", "xml", "yaml", "yml"}
	structuredTypes      = []string{
		"application/json", "application/xml", "application/yaml", "application/x-yaml", "application/x-ndjson",
		"text/csv", "text/tab-separated-values", "text/xml",
	}
	codeExtensions = strings.Fields("c cc cpp cs go h hpp java js jsx kt m php py rb rs scala sh sql swift ts tsx")
	codeTypes      = []string{
		"application/javascript", "application/typescript", "application/x-python-code", "application/x-rust", "text/javascript",
		"text/x-c", "text/x-go", "text/x-java", "text/x-python", "text/x-rust", "text/x-script.python", "text/x-shellscript", "text/x-typescript",
	}
)

// Extension returns the extension, without its dot, of the file that keeps a payload: that of the
// payload's name, else that of its media type, else txt.
func Extension(name, mime string) string {
	if ext := nameExtension(name); ext != "" {
		return ext
	}
	if ext := typeExtensions[normalizeType(mime)]; ext != "" {
		return ext
	}
	return "txt"
}

var plainExtension = lazyregexp.New(`^[a-z0-9]{1,10}$`)

// nameExtension returns the extension of a file's name in small letters. It is empty where the name has
// none, or one with other characters than letters and digits.
func nameExtension(name string) string {
	name = jstext.Trim(name)
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	dot := strings.LastIndexByte(name, '.')
	if dot <= 0 {
		return ""
	}
	if ext := strings.ToLower(name[dot+1:]); plainExtension.MatchString(ext) {
		return ext
	}
	return ""
}
