// Packages of the lock file in a small installation: all that the service needs, without those that an operator may
// leave out (`optionalDependencies` of package.json) and their own dependencies. Plain JavaScript, as ../install.mjs.

/**
 * @param packages those of package-lock.json, by their paths
 * @returns paths. Builds of one package for several systems are all among them, though only one will be there.
 */
export function packagesOfSmall(packages) {
  const found = new Set()
  const left = Object.keys(packages[''].dependencies).map((name) => ['', name])
  // The stand-in Discord is part of the service.
  left.push(['', 'bandstand-sandbox'])
  for (let next = left.pop(); next; next = left.pop()) {
    const path = resolve(packages, ...next)
    if (path === null || found.has(path)) continue
    found.add(path)
    const place = packages[path].link ? packages[path].resolved : path
    found.add(place)
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = packages[place]
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      // A peer that may be missing is one for development, such as the compiler for a library's types.
      if (!peerDependenciesMeta?.[name]?.optional) left.push([place, name])
    }
  }
  return found
}

/** Finds a package as Node does from another one's place; null if it is not installed. */
function resolve(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (packages[path]) return path
    if (folder === '') return null
  }
}
