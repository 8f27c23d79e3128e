/** Signature checks of a receiver without any library. docs/webhooks.md has the same lines, and its test runs them. */
export const SNIPPETS = {
  JavaScript: `import { createHmac, timingSafeEqual } from 'node:crypto'

// headers: names in lower case; body: the text as it came, before JSON.parse
export function verified(secret, headers, body) {
  const [id, timestamp] = [headers['webhook-id'], headers['webhook-timestamp']]
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) < 300)) throw new Error('Too old, or from a wrong clock')
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const expected = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\${body}\`).digest()
  const isOurs = headers['webhook-signature'].split(' ').some((signature) => {
    const given = Buffer.from(signature.replace('v1,', ''), 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  if (!isOurs) throw new Error('Not signed with this secret')
  return JSON.parse(body)
}
`,
  Python: `import base64, hashlib, hmac, json, time

# headers: names in lower case; body: the bytes as they came
def verified(secret, headers, body):
    id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    if not abs(time.time() - int(timestamp)) < 300:
        raise ValueError("Too old, or from a wrong clock")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    content = f"{id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.digest(key, content, hashlib.sha256)).decode()
    if not any(hmac.compare_digest(expected, given) for given in headers["webhook-signature"].split()):
        raise ValueError("Not signed with this secret")
    return json.loads(body)
`,
} as const
