import { execFileSync } from 'node:child_process'

/** A minute of quiet noise as MP3: what an attacker sends where the sound itself does not matter. */
export function silentMp3(): Buffer {
  const source = ['-f', 'lavfi', '-i', 'anoisesrc=a=0.001:d=60', '-b:a', '64k', '-f', 'mp3', '-']
  return execFileSync('ffmpeg', ['-v', 'error', ...source], { maxBuffer: 16 * 1024 * 1024 })
}
