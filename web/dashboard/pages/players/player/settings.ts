import { html, type Markup } from '../../../../../lib/html.ts'
import type { ProjectRequest } from '../../../http/page-request.ts'
import { inlineForm } from '../../../ui/forms.ts'
import type { PageLanguage } from '../../../../../lib/texts/languages.ts'
import { percent } from '../../../ui/components.ts'
import type { ShownPlayer } from '../search.ts'
import { entryOf, textsOf } from '../../../../../lib/texts/texts.ts'

const PLAYER = textsOf('dashboard-player')

/** The settings; each is a form that the script submits when its control changes. */
export function settingsPanel(request: ProjectRequest, place: ShownPlayer): Markup {
  const w = PLAYER[request.language]
  const { volume, crossfadeMs, fadeMs } = place.info
  const send = (action: string, content: Markup) => inlineForm(request, `${place.address}/${action}`, content)
  const slider = (options: Slider) => send(options.action, sliderField(w.set, options, request.language))
  return html`<section class="panel" aria-labelledby="sound-title">
    <h2 id="sound-title">${w.sound}</h2>
    <div class="settings">
      ${slider({ action: 'volume', name: 'volume', label: w.volume, max: 200, step: 1, value: volume, unit: '%' })}
      ${send('loop', choice(w.set, { name: 'loop', label: w.loop, options: loops(request, place) }))}
      ${send('autoplay', choice(w.set, { name: 'autoplay', label: w.autoplay, options: onOff(request, place) }))}
      ${slider({ action: 'crossfade', name: 'crossfadeMs', label: w.crossfade, max: 12_000, step: 500, value: crossfadeMs, unit: 's' })}
      ${slider({ action: 'fade', name: 'fadeMs', label: w.fade, hint: w.fadeHint, max: 1000, step: 50, value: fadeMs, unit: 's' })}
      ${send('sleep', choice(w.set, { name: 'minutes', key: 'sleep', label: w.sleep, options: sleepTimes(request, place) }))}
    </div>
  </section>`
}

interface Slider {
  readonly action: string
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly max: number
  readonly step: number
  readonly value: number
  /** Seconds are shown of milliseconds. */
  readonly unit: '%' | 's'
}

function sliderField(
  set: string,
  { name, label, hint, max, step, value, unit }: Slider,
  language: PageLanguage,
): Markup {
  const look = unit === '%' && value > 100 ? 'setting loud' : 'setting'
  return html`<label class="${look}" ${hint !== undefined && html`title="${hint}"`}
    ><span>${label}</span
    ><input
      type="range"
      name="${name}"
      min="0"
      max="${max}"
      step="${step}"
      value="${value}"
      data-send
      data-key="${name}"
      data-unit="${unit}"
      ${unit === '%' && html`list="loudness"`}
    />
    ${unit === '%' && html`<datalist id="loudness"><option value="100"></option></datalist>`}<output
      >${unit === '%' ? percent(language, Math.round(value)) : `${value / 1000} s`}</output
    >
    <button class="button small" data-plain>${set}</button></label
  >`
}

interface Choice {
  readonly name: string
  /** The key in the player's state, if it differs from the name. */
  readonly key?: string
  readonly label: string
  readonly options: readonly Markup[]
}

function choice(set: string, { name, key = name, label, options }: Choice): Markup {
  return html`<label class="setting"
    ><span>${label}</span
    ><select name="${name}" data-send data-key="${key}">
      ${options}</select
    ><button class="button small" data-plain>${set}</button></label
  >`
}

function option(value: string, label: string, isChosen: boolean): Markup {
  return html`<option value="${value}" ${isChosen && { markup: 'selected' }}>${label}</option>`
}

function loops({ language }: ProjectRequest, { info }: ShownPlayer): readonly Markup[] {
  const { loops: labels } = PLAYER[language]
  return (['off', 'track', 'queue'] as const).map((value) => option(value, labels[value], value === info.loop))
}

function onOff({ language }: ProjectRequest, { info: { autoplay } }: ShownPlayer): readonly Markup[] {
  const w = PLAYER[language]
  return [option('off', w.off, !autoplay), option('on', w.on, autoplay)]
}

/** A running timer is the first choice, so that each of the others sets another. */
export function sleepTimes({ language, context }: ProjectRequest, { info: { sleep } }: ShownPlayer): readonly Markup[] {
  const w = PLAYER[language]
  const endsAt = sleep?.endsAt ?? null
  const choices = ['0', '', '15', '30', '45', '60', '90', '120'].map((value) =>
    option(value, entryOf(w.sleepChoices, value) ?? '', endsAt === null && value === (sleep === null ? '0' : '')),
  )
  if (endsAt === null) return choices
  const minutes = Math.max(Math.ceil((Date.parse(endsAt) - context.now()) / 60_000), 1)
  return [html`<option value="running" disabled selected>${w.sleepsIn({ minutes })}</option>`, ...choices]
}
