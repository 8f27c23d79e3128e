import type { Pictures, PictureOptions } from '../../bot/commands/images/image-service.ts'
import { unprocessable } from '../../lib/errors.ts'

/** Two effects that answer a few bytes, and what was wished of them. */
interface FakePictures extends Pictures {
  readonly wishes: PictureOptions[]
  /** Error of the next requests. */
  failure: Error | null
}

export function createFakePictures(): FakePictures {
  const wishes: PictureOptions[] = []
  const settings = [{ name: 'radius', preset: '6' }]
  return {
    wishes,
    failure: null,
    effects: {
      filter: [
        { name: 'blur', summary: 'Blurs the picture', inputs: 1, settings },
        { name: 'sepia', summary: 'Browns the picture', inputs: 1, settings: [] },
      ],
      overlay: [{ name: 'versus', summary: 'Sets two against each other', inputs: 2, settings: [] }],
    },
    async apply(wish) {
      wishes.push(wish)
      if (this.failure) throw this.failure
      if (wish.effect === 'nonsense') throw unprocessable('unknown_effect', 'There is none.')
      return { format: 'png', data: Buffer.from('a picture') }
    },
  }
}
