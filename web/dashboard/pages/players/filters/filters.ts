import { html, type Markup } from '../../../../../lib/html.ts'
import { PRESET_NAMES } from '../../../../../bot/player/audio-settings/filter-schema.ts'
import type { ProjectRequest } from '../../../http/page-request.ts'
import { inlineForm } from '../../../ui/forms.ts'
import type { ShownPlayer } from '../search.ts'
import { FILTER_TABLE, valueOf, type FilterField, type FilterName } from './filter-table.ts'
import { entryOf, textOf, textsOf } from '../../../../../lib/texts/texts.ts'

const presetText = textOf('sound', 'preset')
const FILTERS = textsOf('dashboard-filters')
const PLAYER = textsOf('dashboard-player')

/** Presets, and every filter with its numbers. */
export function filterForms(request: ProjectRequest, place: ShownPlayer): Markup {
  const w = PLAYER[request.language]
  const presets = presetText[request.language]
  const { filters } = place.info
  const isCustom = filters.preset === undefined && Object.keys(filters).length > 0
  const chosen = filters.preset ?? (isCustom ? 'custom' : '')
  const option = (value: string, label: string) =>
    html`<option value="${value}" ${value === chosen && { markup: 'selected' }}>${label}</option>`
  const presetForm = html`<label class="setting"
    ><span>${w.preset}</span
    ><select name="preset" data-send data-key="preset">
      ${option('', w.noPreset)} ${PRESET_NAMES.map((name) => option(name, presets[name]))}
      <option value="custom" disabled ${isCustom && { markup: 'selected' }}>${w.custom}</option>
    </select>
    <button class="button small" data-plain>${w.set}</button></label
  >`
  const groups = [...FILTER_TABLE].map(([name, fields]) => group(request, place, { name, fields }))
  return html`<section class="panel" aria-labelledby="filters-title">
    <h2 id="filters-title">${w.filters}</h2>
    ${inlineForm(request, `${place.address}/preset`, presetForm)}
    <details class="more">
      <summary>${w.custom}</summary>
      <p class="hint">${w.customHint}</p>
      ${inlineForm(
        request,
        `${place.address}/filters`,
        html`<div class="filters" data-filters>${groups}</div>
          <button class="button small" data-plain>${w.apply}</button>`,
      )}
    </details>
  </section>`
}

function group(
  { language }: ProjectRequest,
  { info: { filters } }: ShownPlayer,
  { name, fields }: { readonly name: FilterName; readonly fields: readonly FilterField[] },
): Markup {
  const { names, fields: labels } = FILTERS[language]
  const sliders = fields.map((field) => {
    const value = valueOf(filters, name, field)
    const label = entryOf(labels, field.name) ?? field.name
    return html`<label class="slider"
      ><span>${label}</span
      ><input
        type="range"
        name="${field.field}"
        min="${field.min}"
        max="${field.max}"
        step="any"
        value="${value}"
        data-usual="${field.usual}"
      />
      <output>${rounded(value)}</output></label
    >`
  })
  return html`<fieldset class="filter-group" data-filter="${name}">
    <legend class="hidden">${names[name]}</legend>
    <label class="switch"
      ><input type="checkbox" name="on" value="${name}" ${name in filters && { markup: 'checked' }} />
      <span>${names[name]}</span></label
    >
    <div class="sliders">${sliders}</div>
  </fieldset>`
}

/** Three significant digits: further ones make no audible difference. */
function rounded(value: number): string {
  return String(Number(value.toPrecision(3)))
}
