import { must, type Check } from '../../suite/check.ts'
import { rest } from '../../suite/docs.ts'
import { equal, within } from '../../suite/expect.ts'
import { decibels } from '../../sound/measure.ts'
import { isSilent, isTone, level } from './heard.ts'

export const VOLUME_CHECKS: readonly Check[] = [
  must('playback.volume', rest('update-player'), {
    title: 'Volume 50 is quieter than 100, and 0 is silent.',
    async run(stage) {
      const playing = await stage.playing(stage.media.wave('tone-440', 60), { volume: 100 })
      const full = await level(playing)
      await playing.update({ volume: 50 })
      await playing.listener.hear(2500)
      within('Volume 50 against 100, in dB', decibels(await level(playing), full), -12, -4)
      await playing.update({ volume: 0 })
      await playing.listener.until('silence', isSilent)
    },
  }),
  must('playback.volume-above', rest('update-player'), {
    title: 'A volume above 100 is louder.',
    async run(stage) {
      const playing = await stage.playing(stage.media.wave('tone-440', 60), { volume: 25 })
      const quiet = await level(playing)
      await playing.update({ volume: 125 })
      await playing.listener.hear(2500)
      within('Volume 125 against 25, in dB', decibels(await level(playing), quiet), 8, 22)
    },
  }),
  must('playback.volume-stays', rest('player'), {
    title: 'The volume stays from one track to the next.',
    async run(stage) {
      const next = await stage.track(stage.media.wave('tone-550', 30))
      const playing = await stage.playing(stage.media.wave('tone-440', 60), { volume: 30 })
      const before = await level(playing)
      equal('volume', (await playing.update({ track: { encoded: next.encoded } })).volume, 30)
      await playing.listener.until('a tone of 550 Hz', isTone(550))
      within('The next against the one before, in dB', decibels(await level(playing), before), -2, 2)
    },
  }),
]
