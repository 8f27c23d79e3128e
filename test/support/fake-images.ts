import type { Images } from '../../jobs/images/images.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

/** Answers one pixel, no matter what is asked. */
export const FAKE_IMAGES: Images = {
  apply: async () => ({ format: 'png', width: 1, height: 1, frames: 1, data: Buffer.from(PNG) }),
}
