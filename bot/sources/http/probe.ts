import { unplayable } from '../../../lib/errors.ts'
import type { EgressResponse } from '../../../upstream/egress/egress-guard.ts'
import { headBytes } from './random-access.ts'
import { readFacts, sniffBytes } from '../library/audio-tags.ts'
import { readFileChapters } from '../chapters/file-chapters.ts'
import type { FoundChapter } from '../../tracks/chapters.ts'
import { readPlaylist } from '../playlists/playlist-file.ts'
import { probeHls } from '../hls/probe-hls.ts'
import { refuseStatus } from './http-status.ts'
import { fileNameIn } from './content-disposition.ts'
import { icyIntervalOf } from './icy-interval.ts'
import { sniff } from './sniff.ts'
import { decodedPath, decodeText, headerText, normalizeTitle, titleOfFile } from './text.ts'
import { openRemote, type Remote, type RemoteOptions } from './remote/remote-bytes.ts'
import type { Probed, ProbeOptions } from './probed.ts'

/** Maximum requests for tags and lengths behind the head. */
const MORE_REQUESTS = 10

/** Titles of QuickTime chapters stand all over the file. */
const CHAPTER_REQUESTS = 24

/**
 * Finds out what a URL leads to, from its first bytes and a few others.
 * @throws {Fault} `unplayable` when nothing playable is there or it may not be fetched.
 */
export async function probeUrl(url: string, { egress, signal }: ProbeOptions): Promise<Probed> {
  const remote = await openAudio(url, { egress, signal, requests: MORE_REQUESTS })
  try {
    const { response, head } = remote
    const isRadio = Object.keys(response.headers).some((name) => /^(?:icy-(?!metadata)|ice-)/.test(name))
    const bytes = isRadio ? headBytes(head) : remote.bytes
    const found = await sniffBytes(bytes)
    if (found.kind === 'other') throw unplayable(`${response.url.host} returned ${found.what}, not audio.`)
    if (found.kind === 'feed') return found
    if (found.kind === 'playlist') {
      if (found.format === 'hls') return await probeHls({ url, at: response.url, head, egress, signal })
      return { kind: 'playlist', playlist: readPlaylist(found.format, decodeText(head), response.url) }
    }
    const facts = await readFacts(bytes, found, false)
    if (!facts) throw unplayable(noSound(remote, found))
    const name = nameOf(response)
    // Anything but a radio ends, so it is a track even if its host does not say how long it is.
    return { kind: 'audio', facts: isRadio ? { ...facts, lengthMs: 0 } : facts, isStream: isRadio, name, hlsUrl: null }
  } finally {
    remote.close()
  }
}

/** A file whose index was not found may well have sound. */
function noSound({ response, bytes }: Remote, { probe }: { readonly probe: string | null }): string {
  const { host } = response.url
  if (probe !== 'mp4' || bytes.isSeekable) return `The file from ${host} has no audio.`
  return `${host} allows no seeking, and the index of this file is missing or too far behind its start.`
}

/** The chapters of the file at a URL. @throws {Fault} when it may not be fetched, or is away. */
export async function probeChapters(url: string, { egress, signal }: ProbeOptions): Promise<readonly FoundChapter[]> {
  const remote = await openAudio(url, { egress, signal, requests: CHAPTER_REQUESTS })
  try {
    const found = sniff(remote.head)
    return found.kind === 'audio' ? await readFileChapters(remote.bytes, found) : []
  } finally {
    remote.close()
  }
}

function openAudio(url: string, options: Pick<RemoteOptions, 'egress' | 'signal' | 'requests'>): Promise<Remote> {
  const headers = { 'icy-metadata': '1', accept: 'audio/*,*/*;q=0.5' }
  return openRemote(url, { ...options, headers, check })
}

function check(response: EgressResponse): void {
  refuseStatus(response)
  icyIntervalOf(response)
}

function nameOf({ headers, url }: EgressResponse): string | null {
  const station = normalizeTitle(headerText(headers['icy-name'] ?? ''))
  if (station && !/^(?:no name|unspecified name|default)$/i.test(station)) return station
  const given = fileNameIn(headers['content-disposition'] ?? '')
  const last = url.pathname.split('/').findLast((part) => part !== '' && !part.startsWith(';')) ?? ''
  return titleOfFile(given.replace(/^.*[/\\]/, '')) ?? titleOfFile(decodedPath(last))
}
