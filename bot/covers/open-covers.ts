import type { Logger } from '../../lib/log.ts'
import type { Sources } from '../sources/source.ts'
import { createCoverAddresses, type CoverAddressesOptions } from './cover-addresses.ts'
import { createCovers, type ShrinkPicture } from './covers.ts'

interface OpenCoversOptions extends CoverAddressesOptions {
  readonly shrink: ShrinkPicture
  readonly log: Logger
}

/** The sources need the addresses before there are pictures to serve. */
export function openCovers({ baseUrl, secrets, shrink, log }: OpenCoversOptions) {
  const addresses = createCoverAddresses({ baseUrl, secrets })
  return {
    urlOf: addresses.urlOf,
    of: (sources: Pick<Sources, 'cover'>) => createCovers({ addresses, sources, shrink, log }),
  }
}
