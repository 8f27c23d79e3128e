/** A skin or a cape, its pixels as four bytes each (red, green, blue, alpha), in rows from the top. */
export interface Texture {
  readonly width: number
  readonly height: number
  readonly rgba: Uint8Array
}

/** A rectangle of it, ready to be looked up: alpha, blue, green and red from the highest byte to the lowest. */
export interface Texels {
  readonly columns: number
  readonly rows: number
  readonly colours: Int32Array
  /** Something of it shows. */
  readonly shows: boolean
  /** Something behind it shows. */
  readonly hasHoles: boolean
}
