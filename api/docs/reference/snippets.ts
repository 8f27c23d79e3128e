/** Stands for a key; the page puts that of the tab there when it is asked to. */
export const KEY_PLACEHOLDER = 'svc.YOUR_KEY'

/** One call, with everything filled in. */
export interface CallToWrite {
  readonly method: string
  readonly url: string
  readonly needsKey: boolean
  readonly isSocket: boolean
  /** Left out: JSON. */
  readonly accept?: string
  /** The body as JSON text. */
  readonly json?: string
  /** The name of the file that is sent as the body. */
  readonly file?: string
}

interface Snippet {
  readonly id: string
  readonly label: string
  readonly code: string
}

interface Parts extends Pick<CallToWrite, 'method' | 'url'> {
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly json: string | null
  readonly file: string | null
  /** Null: the answer is shown as text. */
  readonly saveAs: string | null
}

type Writer = readonly [id: string, label: string, write: (parts: Parts) => string]

/** Ten languages, each with what it brings itself, but for Rust, which brings no HTTP. */
const WRITERS: readonly Writer[] = [
  ['shell', 'Shell', shell],
  ['javascript', 'JavaScript', javascript],
  ['python', 'Python', python],
  ['go', 'Go', go],
  ['java', 'Java', java],
  ['kotlin', 'Kotlin', kotlin],
  ['csharp', 'C#', csharp],
  ['php', 'PHP', php],
  ['ruby', 'Ruby', ruby],
  ['rust', 'Rust', rust],
]

/** The same call in every language; a socket in those that have one. */
export function snippetsOf(call: CallToWrite): readonly Snippet[] {
  const { method, url } = call
  if (call.isSocket) return socketSnippets(url.replace(/^http/, 'ws'))
  const parts: Parts = {
    method,
    url,
    headers: [
      ...(call.needsKey ? [['Authorization', `Bearer ${KEY_PLACEHOLDER}`] as const] : []),
      ...(call.accept === undefined ? [] : [['Accept', call.accept] as const]),
      ...(call.json === undefined ? [] : [['Content-Type', 'application/json'] as const]),
      ...(call.file === undefined ? [] : [['Content-Type', 'application/octet-stream'] as const]),
    ],
    json: call.json ?? null,
    file: call.file ?? null,
    saveAs: call.accept === undefined ? null : `answer.${call.accept.split('/').at(-1)}`,
  }
  return WRITERS.map(([id, label, write]) => ({ id, label, code: write(parts) }))
}

/** A text in double quotes, as JSON, JavaScript, Python, Go, Java, C# and Rust read it. Bodies and addresses have no control characters. */
const quoted = (text: string): string => JSON.stringify(text)
// PHP and Ruby.
const single = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`
const forKotlin = (text: string): string => quoted(text).replaceAll('$', String.raw`\$`)
const forShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
const lines = (...some: readonly (string | false | null | readonly string[])[]): string =>
  some
    .flat()
    .filter((line) => line !== false && line !== null)
    .join('\n')

/** Browsers and Node put the key into the query, since their sockets send no headers of one's own. */
function socketSnippets(url: string): readonly Snippet[] {
  const withKey = `${url}${url.includes('?') ? '&' : '?'}key=${KEY_PLACEHOLDER}`
  const shellCode = `npx wscat -c ${forShell(url)} \\\n  -H ${forShell(`Authorization: Bearer ${KEY_PLACEHOLDER}`)}`
  const script = lines(
    `const events = new WebSocket(${quoted(withKey)})`,
    'events.onmessage = ({ data }) => console.log(JSON.parse(data))',
  )
  const withPackage = lines(
    '# pip install websockets',
    'from websockets.sync.client import connect\n',
    `with connect(${quoted(url)}, additional_headers={"Authorization": "Bearer ${KEY_PLACEHOLDER}"}) as events:`,
    '    for message in events:',
    '        print(message)',
  )
  const labels = { shell: shellCode, javascript: script, python: withPackage }
  return WRITERS.slice(0, 3).map(([id, label]) => ({ id, label, code: labels[id as keyof typeof labels] }))
}

function shell({ method, url, headers, json, file, saveAs }: Parts): string {
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${forShell(url)}`,
    ...headers.map(([name, value]) => `-H ${forShell(`${name}: ${value}`)}`),
    ...(json === null ? [] : [`-d ${forShell(json)}`]),
    ...(file === null ? [] : [`--data-binary ${forShell(`@${file}`)}`]),
    ...(saveAs === null ? [] : [`-o ${saveAs}`]),
  ].join(' \\\n  ')
}

function javascript({ method, url, headers, json, file, saveAs }: Parts): string {
  const used = [file !== null && 'readFile', saveAs !== null && 'writeFile'].filter((name) => name !== false)
  return lines(
    used.length > 0 && `import { ${used.join(', ')} } from 'node:fs/promises'\n`,
    `const response = await fetch(${quoted(url)}, {`,
    `  method: '${method}',`,
    headers.length > 0 && [
      '  headers: {',
      ...headers.map(([name, value]) => `    ${name.includes('-') ? `'${name}'` : name}: ${quoted(value)},`),
      '  },',
    ],
    json !== null && `  body: ${quoted(json)},`,
    file !== null && `  body: await readFile(${quoted(file)}),`,
    '})',
    'if (!response.ok) throw new Error(await response.text())',
    saveAs === null
      ? 'console.log(await response.json())'
      : `await writeFile('${saveAs}', Buffer.from(await response.arrayBuffer()))`,
  )
}

function python({ method, url, headers, json, file, saveAs }: Parts): string {
  return lines(
    saveAs === null && 'import json',
    'import urllib.request',
    '',
    'request = urllib.request.Request(',
    `    ${quoted(url)},`,
    `    method="${method}",`,
    headers.length > 0 && [
      '    headers={',
      ...headers.map(([name, value]) => `        "${name}": ${quoted(value)},`),
      '    },',
    ],
    json !== null && `    data=${quoted(json)}.encode(),`,
    file !== null && `    data=open(${quoted(file)}, "rb").read(),`,
    ')',
    'with urllib.request.urlopen(request) as response:',
    saveAs === null ? '    print(json.load(response))' : `    open("${saveAs}", "wb").write(response.read())`,
  )
}

function go({ method, url, headers, json, file, saveAs }: Parts): string {
  const body = json !== null ? `strings.NewReader(${quoted(json)})` : file !== null ? 'file' : 'nil'
  const imports = [
    saveAs === null && 'fmt',
    'io',
    'net/http',
    (file !== null || saveAs !== null) && 'os',
    json !== null && 'strings',
  ].filter((name) => name !== false)
  return lines(
    'package main\n',
    'import (',
    imports.map((name) => `\t"${name}"`),
    ')\n',
    'func check(err error) {\n\tif err != nil {\n\t\tpanic(err)\n\t}\n}\n',
    'func main() {',
    file !== null && [`\tfile, err := os.Open(${quoted(file)})`, '\tcheck(err)'],
    `\trequest, err := http.NewRequest("${method}", ${quoted(url)}, ${body})`,
    '\tcheck(err)',
    headers.map(([name, value]) => `\trequest.Header.Set("${name}", ${quoted(value)})`),
    '\tresponse, err := http.DefaultClient.Do(request)',
    '\tcheck(err)',
    '\tdefer response.Body.Close()',
    '\tanswer, err := io.ReadAll(response.Body)',
    '\tcheck(err)',
    saveAs === null
      ? '\tfmt.Println(response.Status, string(answer))'
      : `\tcheck(os.WriteFile("${saveAs}", answer, 0o644))`,
    '}',
  )
}

function java(parts: Parts): string {
  const { url, headers, saveAs } = parts
  return lines(
    'import java.net.URI;',
    'import java.net.http.*;',
    'import java.nio.file.Path;\n',
    'public class Main {',
    '  public static void main(String[] args) throws Exception {',
    `    var request = HttpRequest.newBuilder(URI.create(${quoted(url)}))`,
    headers.map(([name, value]) => `      .header("${name}", ${quoted(value)})`),
    `      .method("${parts.method}", ${javaBody(parts, quoted)})`,
    '      .build();',
    `    var response = HttpClient.newHttpClient().send(request, ${javaAnswer(saveAs)});`,
    '    System.out.println(response.statusCode() + " " + response.body());',
    '  }',
    '}',
  )
}

function javaBody({ json, file }: Parts, quote: (text: string) => string): string {
  const publishers = 'HttpRequest.BodyPublishers'
  if (json !== null) return `${publishers}.ofString(${quote(json)})`
  return file === null ? `${publishers}.noBody()` : `${publishers}.ofFile(Path.of(${quote(file)}))`
}

function javaAnswer(saveAs: string | null): string {
  return `HttpResponse.BodyHandlers.${saveAs === null ? 'ofString()' : `ofFile(Path.of("${saveAs}"))`}`
}

function kotlin(parts: Parts): string {
  const { url, headers, saveAs } = parts
  return lines(
    'import java.net.URI',
    'import java.net.http.*',
    'import java.nio.file.Path\n',
    'fun main() {',
    `  val request = HttpRequest.newBuilder(URI.create(${forKotlin(url)}))`,
    headers.map(([name, value]) => `    .header("${name}", ${forKotlin(value)})`),
    `    .method("${parts.method}", ${javaBody(parts, forKotlin)})`,
    '    .build()',
    `  val response = HttpClient.newHttpClient().send(request, ${javaAnswer(saveAs)})`,
    '  println("${response.statusCode()} ${response.body()}")',
    '}',
  )
}

function csharp({ method, url, headers, json, file, saveAs }: Parts): string {
  const own = headers.filter(([name]) => name !== 'Content-Type')
  return lines(
    'using var client = new HttpClient();',
    `using var request = new HttpRequestMessage(new HttpMethod("${method}"), ${quoted(url)});`,
    own.map(([name, value]) => `request.Headers.Add("${name}", ${quoted(value)});`),
    json !== null &&
      `request.Content = new StringContent(${quoted(json)}, System.Text.Encoding.UTF8, "application/json");`,
    file !== null && [
      `request.Content = new StreamContent(File.OpenRead(${quoted(file)}));`,
      'request.Content.Headers.ContentType = new("application/octet-stream");',
    ],
    'using var response = await client.SendAsync(request);',
    saveAs === null
      ? 'Console.WriteLine($"{(int)response.StatusCode} {await response.Content.ReadAsStringAsync()}");'
      : `await File.WriteAllBytesAsync("${saveAs}", await response.Content.ReadAsByteArrayAsync());`,
  )
}

function php({ method, url, headers, json, file, saveAs }: Parts): string {
  return lines(
    '<?php',
    `$request = curl_init(${single(url)});`,
    'curl_setopt_array($request, [',
    `    CURLOPT_CUSTOMREQUEST => '${method}',`,
    headers.length > 0 && [
      '    CURLOPT_HTTPHEADER => [',
      ...headers.map(([name, value]) => `        ${single(`${name}: ${value}`)},`),
      '    ],',
    ],
    json !== null && `    CURLOPT_POSTFIELDS => ${single(json)},`,
    file !== null && `    CURLOPT_POSTFIELDS => file_get_contents(${single(file)}),`,
    '    CURLOPT_RETURNTRANSFER => true,',
    ']);',
    '$answer = curl_exec($request);',
    saveAs === null
      ? "echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), ' ', $answer, PHP_EOL;"
      : `file_put_contents('${saveAs}', $answer);`,
  )
}

function ruby({ method, url, headers, json, file, saveAs }: Parts): string {
  const kind = method.charAt(0) + method.slice(1).toLowerCase()
  return lines(
    "require 'net/http'\n",
    `uri = URI(${single(url)})`,
    `request = Net::HTTP::${kind}.new(uri)`,
    headers.map(([name, value]) => `request['${name}'] = ${single(value)}`),
    json !== null && `request.body = ${single(json)}`,
    file !== null && `request.body = File.binread(${single(file)})`,
    "response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https') { |http| http.request(request) }",
    saveAs === null ? 'puts response.code, response.body' : `File.binwrite('${saveAs}', response.body)`,
  )
}

function rust({ method, url, headers, json, file, saveAs }: Parts): string {
  const hasBody = json !== null || file !== null
  return lines(
    '// cargo add reqwest --features blocking',
    'fn main() -> Result<(), Box<dyn std::error::Error>> {',
    '    let response = reqwest::blocking::Client::new()',
    `        .request(reqwest::Method::${method}, ${quoted(url)})`,
    headers.map(([name, value]) => `        .header("${name}", ${quoted(value)})`),
    hasBody && `        .body(${json === null ? `std::fs::read(${quoted(file ?? '')})?` : quoted(json)})`,
    '        .send()?;',
    saveAs === null
      ? '    println!("{} {}", response.status(), response.text()?);'
      : `    std::fs::write("${saveAs}", response.bytes()?)?;`,
    '    Ok(())',
    '}',
  )
}
