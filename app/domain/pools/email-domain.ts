/** A domain whose e-mail addresses belong to one company. Safe for the browser. */
import { z } from 'zod'
import { toAsciiDomain } from '../text/text.ts'

const INVALID = 'Please enter a domain, such as example.com'
const PUBLIC = 'Anyone can have an address there, so no company can claim this domain'

/** Public mail providers, where anybody can get an address. */
const PUBLIC_MAIL = new Set(
  `gmail.com googlemail.com outlook.com hotmail.com hotmail.co.uk hotmail.de hotmail.fr hotmail.it live.com live.co.uk
  live.de live.fr msn.com yahoo.com yahoo.co.uk yahoo.de yahoo.fr yahoo.it yahoo.es yahoo.co.jp yahoo.co.in ymail.com
  rocketmail.com aol.com aim.com icloud.com me.com mac.com proton.me protonmail.com pm.me gmx.com gmx.de gmx.at gmx.ch
  gmx.net web.de t-online.de freenet.de mail.com email.com mail.ru bk.ru inbox.ru list.ru yandex.ru yandex.com ya.ru
  rambler.ru qq.com foxmail.com 163.com 126.com sina.com sohu.com naver.com hanmail.net daum.net zoho.com zohomail.com
  fastmail.com fastmail.fm hey.com tutanota.com tuta.io tuta.com mailbox.org posteo.de hushmail.com orange.fr wanadoo.fr
  free.fr laposte.net sfr.fr libero.it virgilio.it tin.it alice.it tiscali.it btinternet.com sky.com virginmedia.com
  talktalk.net ntlworld.com comcast.net verizon.net att.net sbcglobal.net bellsouth.net cox.net charter.net earthlink.net
  shaw.ca rogers.com bell.net telus.net bigpond.com optusnet.com.au xtra.co.nz uol.com.br bol.com.br terra.com.br
  rediffmail.com bluewin.ch hispeed.ch a1.net aon.at chello.at telenet.be skynet.be ziggo.nl kpnmail.nl planet.nl
  wp.pl o2.pl interia.pl onet.pl seznam.cz centrum.cz mailinator.com yopmail.com guerrillamail.com 10minutemail.com`.split(
    /\s+/,
  ),
)

const NAME = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+([a-z]{2,63}|xn--[a-z0-9-]{1,59})$/

export const EmailDomain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253, INVALID)
  .transform((typed) => toAsciiDomain(typed.replace(/^@/, '')))
  .pipe(z.string().regex(NAME, INVALID))
  .refine((domain) => !PUBLIC_MAIL.has(domain), PUBLIC)
