/** A filter or an overlay as a member chooses it. */
export interface PictureEffect {
  readonly name: string
  readonly summary: string
  /** Number of pictures that it takes. */
  readonly inputs: 1 | 2
  /** The names of its settings, each with its default. */
  readonly settings: readonly { readonly name: string; readonly preset: string }[]
}

export interface PictureOptions {
  readonly kind: 'filter' | 'overlay'
  readonly effect: string
  /** Settings by name, as they were written. */
  readonly settings: Readonly<Record<string, string>>
  /** One address for each picture. */
  readonly urls: readonly string[]
  /** Project whose turn it takes. */
  readonly projectId: string
}

/** Filters and overlays for members. */
export interface Pictures {
  readonly effects: Readonly<Record<PictureOptions['kind'], readonly PictureEffect[]>>
  /** @throws {Fault} for settings that are wrong and pictures that cannot be used or had. */
  apply(input: PictureOptions): Promise<{ readonly format: string; readonly data: Uint8Array }>
}
