import { existsSync } from 'node:fs'
import { runAdmin } from './program.ts'

// As for the service, a variable from the shell wins over the file.
if (existsSync('.env')) process.loadEnvFile('.env')

process.exitCode = await runAdmin(process.argv.slice(2), process.env, process)
