// Scores how well a song of a catalogue is told from others among the uploads of a site that plays, on the public pairs of
// `tools/bench/matches/pairs.json`. Add a pair for each wrong song that people hear.
import { report } from './report.ts'
import { scoreMatches } from './matches/score.ts'

const { pairs, right, wrong } = scoreMatches()
for (const { same, kind, wanted, found } of wrong) {
  console.log(
    `${same ? 'missed' : 'mistaken'} (${kind}): ${wanted.author} – ${wanted.title} | ${found.title} [${found.author}]`,
  )
}
report({
  what: `right answers to ${pairs} pairs of songs`,
  own: Math.round(right * 1000) / 10,
  unit: ' %',
  beside: null,
  goal: { of: 'own', atLeast: 97 },
})
