import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface Bucket {
  readonly endpoint: string
  readonly keys: { readonly accessKeyId: string; readonly secretAccessKey: string }
  /** Stored objects, by name. */
  readonly objects: Map<string, { readonly bytes: Buffer; readonly contentType: string; modifiedAt: Date }>
  close(): Promise<void>
}

const REGION = 'test-1'
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const sha = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')

/** A store that speaks as much of S3 as results need, and refuses every request whose signature (version 4) is not right. */
export async function startBucket(): Promise<Bucket> {
  const keys = { accessKeyId: 'AKIDTEST', secretAccessKey: 'a secret of the tests' }
  const objects: Bucket['objects'] = new Map()

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(req.url ?? '/', 'http://bucket')
    const body = await buffer(req)
    if (!isSigned(req, url, body, keys.secretAccessKey)) return fail(res, 403, 'SignatureDoesNotMatch')
    const name = decodeURIComponent(url.pathname.replace(/^\/pictures\/?/, ''))
    if (req.method === 'PUT') {
      objects.set(name, { bytes: body, contentType: req.headers['content-type'] ?? '', modifiedAt: new Date() })
      return void res.setHeader('etag', `"${sha(body)}"`).end()
    }
    if (req.method === 'POST' && url.searchParams.has('delete')) {
      const gone = [...body.toString().matchAll(/<Key>([^<]+)<\/Key>/g)].map((match) => match[1] ?? '')
      for (const each of gone) objects.delete(each)
      return void res.end(
        `<DeleteResult>${gone.map((each) => `<Deleted><Key>${each}</Key></Deleted>`).join('')}</DeleteResult>`,
      )
    }
    if (url.searchParams.get('list-type') === '2') return list(url, res)
    const object = objects.get(name)
    if (!object) return fail(res, 404, 'NoSuchKey')
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(req.headers.range ?? '') ?? []
    const part = from ? object.bytes.subarray(Number(from), Number(to) + 1) : object.bytes
    res.writeHead(from ? 206 : 200, { 'content-type': object.contentType }).end(part)
  }

  /** Two at a time, so that going on is put to the test. */
  function list({ searchParams }: URL, res: ServerResponse): void {
    const names = [...objects.keys()].filter((name) => name.startsWith(searchParams.get('prefix') ?? '')).toSorted()
    const start = Number(searchParams.get('continuation-token') ?? 0)
    const page = names.slice(start, start + 2).map((name) => {
      const { bytes, modifiedAt } = objects.get(name)!
      const about = `<LastModified>${modifiedAt.toISOString()}</LastModified><Size>${bytes.length}</Size>`
      return `<Contents><Key>${name}</Key>${about}</Contents>`
    })
    const more = start + 2 < names.length
    const next = more ? `<NextContinuationToken>${start + 2}</NextContinuationToken>` : ''
    const head = `<IsTruncated>${more}</IsTruncated>${next}<KeyCount>${page.length}</KeyCount>`
    res.end(`<?xml version="1.0"?><ListBucketResult>${head}${page.join('')}</ListBucketResult>`)
  }

  const server = createServer((req, res) => void serve(req, res))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/pictures`,
    keys,
    objects,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function fail(res: ServerResponse, status: number, code: string): void {
  res.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`)
}

/** AWS Signature Version 4, from its public description. */
function isSigned(req: IncomingMessage, url: URL, body: Buffer, secret: string): boolean {
  const [, , date = '', names = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/[^,]+, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      req.headers.authorization ?? '',
    ) ?? []
  const digest = String(req.headers['x-amz-content-sha256'] ?? '')
  if (digest !== 'UNSIGNED-PAYLOAD' && digest !== sha(body)) return false
  const query = [...url.searchParams]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .toSorted()
  const signed = names.split(';')
  const headers = signed.map((name) => `${name}:${String(req.headers[name] ?? '').trim()}\n`).join('')
  const canonical = [req.method, url.pathname, query.join('&'), headers, names, digest].join('\n')
  const scope = `${date}/${REGION}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', req.headers['x-amz-date'], scope, sha(canonical)].join('\n')
  const key = hmac(hmac(hmac(hmac(`AWS4${secret}`, date), REGION), 's3'), 'aws4_request')
  return hmac(key, text).toString('hex') === signature
}
