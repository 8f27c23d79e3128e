// The sound of a voice channel, as an endless stream that the browser plays, and how loud it is.
const FULL_SCALE_DB = 60

const audio = new Audio()
audio.preload = 'none'
let context = null
let analyser = null
let samples = null
let url = ''

/** @param onState `starting`, `playing`, `stopped` or `failed`. */
export function createSound(onState) {
  audio.addEventListener('playing', () => onState('playing'))
  // An endless stream ends only when the sandbox or its channel is gone.
  for (const event of ['ended', 'error']) audio.addEventListener(event, () => url && fail())

  function fail() {
    stop()
    onState('failed')
  }

  function stop() {
    url = ''
    audio.pause()
    // Lets go of the stream: the sandbox keeps sending it otherwise.
    audio.removeAttribute('src')
    audio.load()
    onState('stopped')
  }

  return {
    stop,
    get url() {
      return url
    },
    /** Whether the browser lets the page play nothing, as without a sound device. */
    get isBlocked() {
      return context !== null && context.state !== 'running'
    },
    setVolume(percent) {
      audio.volume = percent / 100
    },
    /** Must be called by a press: browsers play no sound otherwise. */
    async start(from) {
      url = from
      onState('starting')
      openAnalyser()
      audio.src = from
      try {
        await Promise.all([context.resume(), audio.play()])
      } catch (error) {
        // Another channel was chosen meanwhile.
        if (error.name !== 'AbortError' && url === from) fail()
      }
    },
    readLevel,
  }
}

function openAnalyser() {
  if (context) return
  context = new AudioContext()
  analyser = context.createAnalyser()
  analyser.fftSize = 2048
  samples = new Float32Array(analyser.fftSize)
  context.createMediaElementSource(audio).connect(analyser).connect(context.destination)
}

/** Current level by decibels: 0 is silence, 1 full scale. Compensates for the volume setting. */
function readLevel() {
  if (!analyser || audio.paused) return 0
  analyser.getFloatTimeDomainData(samples)
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
  const rms = Math.sqrt(power) / Math.max(0.01, audio.volume)
  return rms < 1e-4 ? 0 : Math.max(0, Math.min(1, 1 + (20 * Math.log10(rms)) / FULL_SCALE_DB))
}
