import { clock, failureNote, find, icon, iconButton, isAllowed, make, setAllowed, words } from './page.js'
import { ask, coverOf, perform, pictureOf } from './connection.js'
import { rightTo } from './rights.js'

// Lists of tracks to play: search results, history, favourites.

/** A track with its cover, its names and its actions. */
export function trackRow(track, ...ends) {
  const cover = make('span', { class: 'thumb' }, icon('players'))
  if (track.hasCover) cover.append(pictureOf(coverOf(track), { width: 40, height: 40, loading: 'lazy' }))
  const detail = [track.author, track.requester].filter(Boolean).join(' · ')
  const names = make('span', { class: 'names' }, make('b', {}, track.title), make('small', {}, detail))
  return make('li', {}, cover, names, ...ends)
}

export const lengthOf = ({ isStream, lengthMs }) =>
  make('span', { class: 'length' }, isStream ? words.stream : clock(lengthMs))

function askButton(track, me, { action, values, picture, label }) {
  const button = iconButton(picture, `${label}: ${track.title}`)
  setAllowed(button, ...rightTo(me, action))
  button.addEventListener('click', () => isAllowed(button) && void perform(action, values))
  return button
}

/** A row with buttons that ask for the track, behind what waits or ahead of it. */
export function offerRow(track, me, { action = 'play', values = { query: track.query }, extra = [] } = {}) {
  const add = askButton(track, me, { action, values, picture: 'plus', label: words.add })
  const ahead = { action: 'playNext', values: { query: track.query }, picture: 'play-next', label: words.playNext }
  return trackRow(track, lengthOf(track), add, askButton(track, me, ahead), ...extra)
}

const panels = { history: find('#panel-history'), favourites: find('#panel-favourites') }
let me = null

export function setMe(given) {
  me = given
}

function favouriteRow(track) {
  const values = { track: track.mark }
  const remove = iconButton('cross', `${words.remove}: ${track.title}`)
  remove.addEventListener('click', async () => {
    if (await perform('removeFavourite', values)) await openList('favourites')
  })
  return offerRow(track, me, { action: 'playFavourite', values, extra: [remove] })
}

/** Asks for a list again whenever it is opened. */
export async function openList(name) {
  const panel = panels[name]
  try {
    const { tracks } = await ask(name)
    const rows = tracks.map((track) => (name === 'favourites' ? favouriteRow(track) : offerRow(track, me)))
    const empty = name === 'favourites' ? words.noFavourites : words.noHistory
    panel.replaceChildren(
      rows.length > 0
        ? make('ul', { class: 'tracks', 'aria-label': words[name] }, ...rows)
        : make('p', { class: 'hint' }, empty),
    )
  } catch (error) {
    panel.replaceChildren(failureNote(error, () => void openList(name)))
  }
}
