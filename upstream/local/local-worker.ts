import { loadOptional } from '../../lib/process/optional-package.ts'
import { serveTasks, whileLoading } from '../../lib/workers/serve-tasks.ts'
import { detectLanguage, importDetector, type Detector } from './detect.ts'
import type { DetectionModel, LocalTask, TaskResults } from './protocol.ts'

async function perform(task: LocalTask): Promise<TaskResults[LocalTask['task']]> {
  switch (task.task) {
    case 'detect':
      return detectLanguage(task.text, task.model, loadDetector)
    case 'countries':
      return (await loadHolidays()).listCountries()
    case 'holidays':
      return (await loadHolidays()).listHolidays(task.place, task.year, task.language)
    case 'timeZone':
      return (await loadHolidays()).timeZoneOf(task.place)
    case 'books': {
      const { findBook } = await loadOnce('books', () =>
        loadOptional('Names of books', () => import('./book-names.ts')),
      )
      return Promise.all(task.names.map((name) => findBook(name, task.languages)))
    }
  }
}

const loaded = new Map<string, Promise<unknown>>()

function loadHolidays() {
  return loadOnce('holidays', () => loadOptional('Holidays', () => import('./holidays.ts')))
}

function loadDetector(model: DetectionModel): Promise<Detector> {
  return loadOnce(model, () => loadOptional('Language detection', () => importDetector(model)))
}

function loadOnce<T>(name: string, load: () => Promise<T>): Promise<T> {
  const known = loaded.get(name) as Promise<T> | undefined
  if (known) return known
  const fresh = whileLoading(load)
  loaded.set(name, fresh)
  return fresh
}

serveTasks<LocalTask, TaskResults[LocalTask['task']]>(perform)
