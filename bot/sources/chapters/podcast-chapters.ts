import { z } from 'zod'
import { parseJson } from '../../../lib/text.ts'
import type { Egress } from '../../../upstream/egress/egress-guard.ts'
import { readPage } from '../../../upstream/music/page.ts'
import { usable } from '../../../upstream/music/schemas.ts'
import type { FoundChapter } from '../../tracks/chapters.ts'

/** Largest file, which parses in a few milliseconds. Files of a hundred chapters with pictures and links have 40 KiB. */
const MAX_BYTES = 512 * 1024

const File = z.object({ chapters: z.array(z.unknown()) })
/** `toc: false`: it changes the picture alone, and is in no list. */
const Entry = z.object({ startTime: z.number(), title: z.string().nullish(), toc: z.boolean().nullish() })

/**
 * The chapters of an episode by the address that its feed gives in `podcast:chapters`, a JSON file of Podcasting 2.0.
 * @throws {Fault} if it cannot be fetched. Returns an empty list for other files.
 */
export async function readPodcastChapters(
  url: string,
  { egress, signal }: { readonly egress: Egress; readonly signal: AbortSignal },
): Promise<readonly FoundChapter[]> {
  const { status, text } = await readPage(url, { egress, signal, name: 'The podcast', maxBytes: MAX_BYTES })
  return status === 200 ? parsePodcastChapters(text) : []
}

export function parsePodcastChapters(text: string): readonly FoundChapter[] {
  const file = File.safeParse(parseJson(text))
  const entries = file.success ? usable(Entry, file.data.chapters) : []
  return entries
    .filter(({ toc }) => toc !== false)
    .map(({ title, startTime }) => ({ title: title ?? '', startMs: startTime * 1000 }))
}
