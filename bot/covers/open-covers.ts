import type { Logger } from '../../lib/log.ts'
import type { Sources } from '../sources/source.ts'
import { createCoverAddresses, type CoverAddressesOptions, type CoverUrlOf } from './cover-addresses.ts'
import { createCovers, type Covers, type ShrinkPicture } from './covers.ts'

interface OpenCoversOptions extends CoverAddressesOptions {
  readonly shrink: ShrinkPicture
  readonly log: Logger
}

/** The sources need the addresses before there are pictures to serve. */
interface OpenCovers {
  readonly urlOf: CoverUrlOf
  of(sources: Pick<Sources, 'cover'>): Covers
}

export function openCovers({ baseUrl, secrets, shrink, log }: OpenCoversOptions): OpenCovers {
  const addresses = createCoverAddresses({ baseUrl, secrets })
  return { urlOf: addresses.urlOf, of: (sources) => createCovers({ addresses, sources, shrink, log }) }
}
