import { describe, type Effect, EFFECTS, findEffect } from 'bandstand-images'
import { unprocessable } from '../../lib/errors.ts'
import type { Images } from './images.ts'

/** Pictures in a chat are looked at on phones. */
const EDGE = 1024

interface EffectRequest {
  readonly kind: 'filter' | 'overlay'
  readonly effect: string
  readonly settings: Readonly<Record<string, string>>
  readonly urls: readonly string[]
  readonly projectId: string
}

/** The effects as slash commands use them: settings as text, pictures by address. */
export function createPictures(images: Images) {
  return {
    effects: { filter: EFFECTS.filter.map(shown), overlay: EFFECTS.overlay.map(shown) },
    async apply({ kind, effect: name, settings, urls, projectId }: EffectRequest) {
      const effect = EFFECTS[kind].some((known) => known.name === name) ? findEffect(kind, name) : null
      if (!effect) throw unprocessable('unknown_effect', `There is no ${kind} called ${name}.`)
      if (urls.length !== effect.inputs)
        throw unprocessable('wrong_picture_count', `${name} needs ${effect.inputs} images.`)
      const inputs = urls.map((url) => ({ url }))
      return images.apply({
        kind,
        effect: name,
        params: paramsOf(effect, settings),
        format: null,
        size: EDGE,
        owner: projectId,
        inputs: async () => inputs,
        signal: new AbortController().signal,
      })
    },
  }
}

function paramsOf({ params }: Effect, settings: EffectRequest['settings']) {
  const unknown = Object.keys(settings).find((name) => !(name in params.shape))
  if (unknown !== undefined) throw unprocessable('invalid_setting', `Unknown setting ${unknown}.`)
  const parsed = params.safeParse(settings)
  if (!parsed.success)
    throw unprocessable('invalid_setting', parsed.error.issues[0]?.message ?? "A setting isn't valid.")
  return parsed.data
}

function shown(effect: Effect) {
  const { name, summary, inputs, parameters } = describe(effect)
  const settings = parameters.map((parameter) => ({ name: parameter.name, preset: String(parameter.default) }))
  return { name, summary, inputs, settings }
}
