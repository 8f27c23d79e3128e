import type { Pictures, PictureWish } from '../../bot/pictures.ts'
import { unprocessable } from '../../errors.ts'

/** Two effects that answer a few bytes, and what was wished of them. */
export function createFakePictures(): Pictures & { readonly wishes: PictureWish[] } {
  const wishes: PictureWish[] = []
  const settings = [{ name: 'radius', preset: '6' }]
  return {
    wishes,
    effects: {
      filter: [
        { name: 'blur', summary: 'Blurs the picture', inputs: 1, settings },
        { name: 'sepia', summary: 'Browns the picture', inputs: 1, settings: [] },
      ],
      overlay: [{ name: 'versus', summary: 'Sets two against each other', inputs: 2, settings: [] }],
    },
    async apply(wish) {
      wishes.push(wish)
      if (wish.effect === 'nonsense') throw unprocessable('effect', 'There is none.')
      return { format: 'png', data: Buffer.from('a picture') }
    },
  }
}
