import { Pool } from 'undici'

/** What `bench/images.ts` wants to be asked. */
export interface Asked {
  readonly url: string
  readonly key: string
  readonly picture: Uint8Array
  readonly rounds: number
  readonly atOnce: number
}

export interface Told {
  readonly failure: string | null
}

process.on('message', (asked: Asked) => {
  askAll(asked).then(
    () => process.send?.({ failure: null } satisfies Told),
    (error: unknown) => process.send?.({ failure: String(error) } satisfies Told),
  )
})

async function askAll({ url, key, picture, rounds, atOnce }: Asked): Promise<void> {
  const { origin, pathname: path } = new URL(url)
  const pool = new Pool(origin, { connections: atOnce })
  const headers = { authorization: `Bearer ${key}`, accept: 'image/*' }
  let left = rounds
  const lane = async (): Promise<void> => {
    while (left-- > 0) {
      const { statusCode, body } = await pool.request({ path, method: 'POST', body: picture, headers })
      const answer = await body.arrayBuffer()
      if (statusCode !== 200) throw new Error(Buffer.from(answer).toString().slice(0, 200))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  await pool.close()
}
