/** The most common passwords of at least eight characters, the minimum for a password. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
  00000000 0123456789 01234567 10101010 11111111 1111111111 11223344 12121212 12341234 12345678 123456789 1234567890
  12345678910 1234554321 12344321 123123123 123321123 123454321 1234abcd 123456ab 123456aa 123456789a 123456789q 1234567a
  1234567q 1234qwer 123qweasd 123qweasdzxc 123abc123 147258369 147852369 159357159 159753159 1qaz2wsx 1qaz2wsx3edc
  1qazxsw2 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 20202020 21212121 22222222 31415926 33333333 36925814 44444444 55555555
  66666666 77777777 78945612 789456123 87654321 88888888 963852741 987654321 9876543210 98765432 99999999 a1234567
  a12345678 a123456789 aa123456 aa12345678 aaaaaaaa abc12345 abc123456 abcd1234 abcdefgh abcdefghi abcdef123 access14
  adgjmptw admin123 admin1234 admin12345 administrator alexander alexandra andromeda arsenal1 asd12345 asdasdasd asdf1234
  asdfasdf asdfghjk asdfghjkl asdfjkl1 babygirl babygirl1 baseball baseball1 basketball bigdaddy blink182 bonjour1
  brooklyn butterfly california carolina caroline changeme changeme1 changeme123 charlie1 charlotte cheese123 chelsea1
  chocolate christian christine christopher computer computer1 cookie123 corvette courtney creative danielle december
  default1 dolphins dragon123 dragonball elephant elizabeth everything facebook ferrari1 flower123 football football1
  forever1 franklin freedom1 friendship fuckyou1 fuckyou2 gabriela garfield godzilla goodluck google123 hallo123
  hannover hardcore harrypotter hello123 hello1234 helloworld herewego hunter123 iloveyou iloveyou1 iloveyou2 iloveyou123
  infinity internet isabella jennifer jessica1 jonathan jordan23 juventus kawasaki killer123 kimberly kingkong lakers24
  letmein1 letmein123 letmein2 liverpool liverpool1 lollipop london123 loveyou1 lovelove loveme123 machine1 maddison
  marlboro master123 matthew1 maverick mercedes metallica michael1 michelle midnight minecraft monkey123 monster1
  mountain mustang1 mylove123 myspace1 naruto123 newpassword nicholas nintendo november nothing1 october1 p@ssw0rd
  p@ssword p@ssword1 p@55w0rd pa$$w0rd pa55word pakistan paradise passw0rd passw0rd1 password password! password0
  password01 password1 password1! password10 password11 password12 password123 password123! password1234 password12345
  password2 password21 password3 password5 password7 password9 passwords passwort passwort1 patricia peanut123 pokemon123
  poohbear porsche1 portugal precious princess princess1 princess123 q1w2e3r4 q1w2e3r4t5 q12345678 qazwsx123 qazwsxedc
  qazxswedc qq123456 qqqqqqqq qwaszx12 qwe12345 qwe123qwe qweasd123 qweasdzxc qweqweqwe qwer1234 qwerasdf qwert123
  qwert12345 qwerty00 qwerty01 qwerty11 qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwerty22 qwertyui
  qwertyuio qwertyuiop rainbow1 rangers1 realmadrid rockstar1 rootroot samantha samsung1 samsung123 sandrine saturday
  scorpion scotland secret12 secret123 september sergeant shadow12 shadow123 simplepass slipknot snowball snoopy123
  softball spiderman spiderman1 spitfire starwars starwars1 steelers stephanie strawberry summer01 summer12 summer2020
  summer2021 summer2022 summer2023 summer2024 summer2025 summer2026 sunflower sunshine sunshine1 superman superman1
  superstar swordfish sweetheart temporary temppass test1234 test12345 test123456 testing1 testing123 testtest thunder1
  thursday tinkerbell trustno1 trustno12 twilight university unknown1 vanessa1 veronica victoria victoria1 warcraft
  welcome01 welcome1 welcome12 welcome123 welcome1234 welcome2 whatever whatever1 wonderful william1 winter2020
  winter2021 winter2022 winter2023 winter2024 winter2025 winter2026 zaq12wsx zaq1zaq1 zaq1xsw2 zxcasdqwe zxcv1234
  zxcvbnm1 zxcvbnm123 zzzzzzzz
  `.match(/\S+/g),
)
