// The parts of voice on their own: Discord's voice servers without a gateway, a member's client, and Ogg Opus.
export { createOggWriter } from '../voice/listen/ogg.ts'
export { connectMember, type MemberVoice } from '../voice/member.ts'
export { connectMemberGateway, type MemberGateway, type MemberGatewayOptions } from '../voice/member/gateway.ts'
export type { HearingReport } from '../voice/member/hearing.ts'
export { startVoiceServer, type PacketReport, type UdpFaults, type VoiceServer } from '../voice/server.ts'
export { createTransportCipher, type TransportCipher } from '../voice/udp/cipher.ts'
export { writeRtpHeader } from '../voice/udp/rtp.ts'
