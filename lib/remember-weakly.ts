/** Returns a function that makes something once for each key, and forgets it with the key. */
export function rememberWeakly<Key extends object, Value extends {}>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, Value>()
  return (key) => {
    const known = made.get(key)
    if (known !== undefined) return known
    const value = make(key)
    made.set(key, value)
    return value
  }
}
