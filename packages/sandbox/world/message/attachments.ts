import type { APIAttachment, APIMessage } from 'discord-api-types/v10'
import type { UploadedFile } from '../../http/body.ts'
import type { GivenFile } from '../invoke.ts'
import type { World } from '../world.ts'

/** Files are kept in memory; the oldest go when there are more bytes than this. */
const KEPT_BYTES = 32 * 1024 * 1024

interface Described {
  readonly id: string | number
  readonly filename?: string | null | undefined
  readonly description?: string | null | undefined
}

/** Keeps uploaded files and says where they are. `described` belongs to `files[N]` by its id N. */
export function attach(
  world: World,
  channelId: string,
  files: readonly UploadedFile[],
  described: readonly Described[],
): APIAttachment[] {
  return files.map((file, index) => {
    const number = /^files\[(\d+)\]$/.exec(file.field)?.[1] ?? String(index)
    const about = described.find(({ id }) => String(id) === number)
    const filename = about?.filename ?? file.name
    const id = world.nextId()
    const url = `${world.url}/attachments/${channelId}/${id}/${encodeURIComponent(filename)}`
    keep(world, id, file)
    return {
      id,
      filename,
      size: file.bytes.length,
      url,
      proxy_url: url,
      ...(file.type ? { content_type: file.type } : {}),
      ...(about?.description ? { description: about.description } : {}),
    }
  })
}

/** Keeps a file that someone sends along with a command. */
export function keepFile(world: World, channelId: string, { name, type, base64 }: GivenFile): APIAttachment {
  const bytes = Buffer.from(base64, 'base64')
  const [kept] = attach(world, channelId, [{ field: 'files[0]', name, type, bytes }], [])
  if (!kept) throw new Error('One file makes one attachment.')
  return kept
}

/** File name → address, for `attachment://name` in embeds. */
export function filesOf({ attachments }: APIMessage): ReadonlyMap<string, string> {
  return new Map(attachments.map(({ filename, url }) => [filename, url]))
}

function keep(world: World, id: string, file: UploadedFile): void {
  world.files.set(id, file)
  let bytes = world.files.values().reduce((sum, one) => sum + one.bytes.length, 0)
  for (const [oldest, { bytes: content }] of world.files) {
    if (bytes <= KEPT_BYTES || oldest === id) return
    world.files.delete(oldest)
    bytes -= content.length
  }
}
