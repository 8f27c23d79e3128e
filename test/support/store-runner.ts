import { createRequire } from 'node:module'

/** A store that speaks S3, in a process of its own: `folder port`. It checks signatures, and keeps its objects on disk. */
interface Store {
  run(): Promise<unknown>
}

const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as new (options: object) => Store

const [folder, port] = process.argv.slice(2)
const store = new S3rver({
  directory: folder,
  address: '127.0.0.1',
  port: Number(port),
  silent: true,
  configureBuckets: [{ name: 'pictures' }],
})
await store.run()
console.log('the store listens')
