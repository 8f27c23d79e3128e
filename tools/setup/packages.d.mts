export function packagesOfSmall(packages: Readonly<Record<string, object>>): ReadonlySet<string>
