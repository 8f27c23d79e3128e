import { existsSync } from 'node:fs'
import { runAdmin } from './program.ts'

// A variable from the shell wins over the file, as for the service.
if (existsSync('.env')) process.loadEnvFile('.env')

process.exitCode = await runAdmin(process.argv.slice(2), process.env, process)
