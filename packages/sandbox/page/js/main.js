import { startLog } from './chat/log.js'
import { startComposer } from './composer/composer.js'
import { startSuggestions } from './composer/suggestions.js'
import { startVoters } from './chat/voters.js'
import { connect } from './core/live.js'
import { actingMember, applyTheme } from './core/preferences.js'
import { state } from './core/store.js'
import { startBar } from './panels/bar.js'
import { startDrawers } from './panels/drawers.js'
import { startSide } from './panels/side.js'
import { startChannelList } from './voice/channel-list.js'
import { startListen } from './voice/listen.js'

state.userId = actingMember()
applyTheme()
startBar()
startChannelList()
startSide()
startListen()
startLog()
startSuggestions(startComposer())
startVoters()
startDrawers()
connect()
