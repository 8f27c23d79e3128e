import type { EgressResponse } from '../../../../upstream/egress/egress-guard.ts'

/** Null where the answer holds no part, or does not say which. */
export function contentRangeOf({ status, headers }: Pick<EgressResponse, 'status' | 'headers'>) {
  const [, from, total] = /^\s*bytes[\s=:]*(\d+)\s*-\s*\d+\s*\/\s*(\d+|\*)/i.exec(headers['content-range'] ?? '') ?? []
  return status === 206 && from !== undefined ? { fromByte: Number(from), totalBytes: whole(total) } : null
}

/** Length of the whole file; null if unknown. The length of a part says nothing of it. */
export function totalBytesOf(response: Pick<EgressResponse, 'status' | 'headers'>): number | null {
  if (response.status === 206) return contentRangeOf(response)?.totalBytes ?? null
  return whole(response.headers['content-length'])
}

function whole(text: string | undefined): number | null {
  return text !== undefined && /^\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null
}
