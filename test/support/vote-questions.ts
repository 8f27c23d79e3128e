/** Words of the questions that a permission puts to the vote. */
export const QUESTIONS: Readonly<Record<string, RegExp>> = {
  playNext: / next\?/,
  skip: /Skip /,
  pause: /Pause /,
  seek: /Jump to /,
  volume: /volume|Mute/,
  filters: /filter/i,
  loop: /repeat/i,
  autoplay: /autoplay/,
  shuffle: /Shuffle/,
  move: /Move /,
  remove: /Remove /,
  clear: /Clear/,
  stop: /Stop the music/,
}
