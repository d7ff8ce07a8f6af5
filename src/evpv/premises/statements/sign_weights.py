"""What the signs of a statement are worth, in hundredths, for being wrong, missing and nothing at all rather than right: written by
`scripts/fit_reader.py`, not by hand."""

CONSTANT = (0.02, -1.44, -0.73)
WEIGHTS = """\
absent unread|-12 39 3
after contradicted extreme supported|-18 -9 -2
after contradicted supported|21 2 3
after contradicted value supported|41 14 9
after doubted supported|0 4 7
after doubted value supported|-13 -2 -4
after open supported|19 22 25
aggregate contradicted|-13 -2 30
aggregate supported|1 -4 14
alone False contradicted|-29 -31 -6
alone False doubted|-4 -49 13
alone False open|-43 -61 -15
alone False supported|53 -3 49
alone False unread|-36 -46 -13
alone True contradicted|69 33 14
alone True doubted|14 55 -12
alone True open|35 67 37
alone True supported|-78 -40 -77
alone True unread|19 59 7
alternative extreme supported|28 17 36
alternative supported|40 28 35
alternative value supported|25 18 2
any column supported|10 20 -3
aside supported|27 2 -9
beside 0 doubted contradicted|33 7 7
beside 0 doubted doubted|36 70 -5
beside 0 doubted open|13 31 16
beside 0 doubted supported|-49 -57 -61
beside 0 doubted unread|-6 31 -28
beside 0 right contradicted|20 31 22
beside 0 right doubted|-14 23 -6
beside 0 right open|16 38 8
beside 0 right supported|79 23 8
beside 0 right unread|7 34 0
beside 0 wrong contradicted|45 15 -45
beside 0 wrong doubted|3 20 -14
beside 0 wrong open|-34 28 -28
beside 0 wrong supported|-137 -56 -75
beside 0 wrong unread|-16 62 -32
beside 1 doubted contradicted|-2 -6 1
beside 1 doubted doubted|5 -35 22
beside 1 doubted open|-13 4 29
beside 1 doubted supported|5 -1 -13
beside 1 right contradicted|5 0 3
beside 1 right doubted|26 19 -11
beside 1 right open|-7 -9 -31
beside 1 right supported|-13 -5 -18
beside 1 right unread|-9 5 -14
beside 1 wrong contradicted|32 6 46
beside 1 wrong doubted|2 -15 8
beside 1 wrong open|17 -22 26
beside 1 wrong supported|44 -22 -9
beside 2 doubted doubted|-30 -30 -15
beside 2 doubted open|-8 -28 -22
beside 2 doubted supported|19 16 45
beside 2 right contradicted|-9 -10 12
beside 2 right doubted|-24 -33 10
beside 2 right open|7 25 29
beside 2 right supported|-52 -27 -8
beside 2 right unread|-12 -5 -9
beside 2 wrong contradicted|-37 -19 6
beside 2 wrong supported|68 36 55
beside 3 right contradicted|24 -19 -30
beside 3 right doubted|22 -3 8
beside 3 right open|-24 -47 17
beside 3 right supported|-39 -33 -10
calculates|-13 -51 -2
calculation supported|-3 -4 9
column far contradicted|3 -1 24
column far doubted|17 36 21
column far supported|13 35 19
column far unsaid|-15 -12 -19
column near contradicted|-15 0 -21
column near doubted|-7 -34 -37
column near open|10 -10 -10
column near supported|5 -17 -28
column near unsaid|-16 -13 -46
column open contradicted|-22 -12 -5
column open doubted|-9 14 19
column open open|-1 -9 5
column open supported|-4 26 22
column open unsaid|15 25 40
column own contradicted|53 11 -6
column own doubted|9 -11 -2
column own open|12 37 4
column own supported|-13 -63 -27
column own unread|3 37 17
column own unsaid|6 -5 29
comparison contradicted|-40 -22 -29
comparison open|-12 35 20
comparison supported|-10 -22 -36
comparison unread|1 7 -2
computed missing|-63 -55 32
computed supported|-24 10 32
contradicted|20 -2 -7
count contradicted|7 -3 -14
count supported|-25 -21 -24
cue as supported|-13 -12 -13
cue beats contradicted|-31 -26 -25
cue beats supported|3 -9 -13
cue both supported|-20 -20 -22
cue both unsaid|9 -12 11
cue every contradicted|-15 -17 9
cue every doubted|-1 -32 -25
cue every open|-18 -10 -33
cue every supported|-54 -53 -52
cue every unsaid|4 1 16
cue falls contradicted|23 21 4
cue falls doubted|-31 -35 -38
cue falls supported|1 15 1
cue from contradicted|7 -3 -7
cue from doubted|-6 -16 -17
cue from open|-29 -27 -21
cue from supported|0 -4 -20
cue from unsaid|-6 0 -1
cue hedge contradicted|-38 -7 -7
cue hedge doubted|-19 20 -4
cue hedge supported|12 6 -10
cue hedge unsaid|-12 15 13
cue least contradicted|39 20 11
cue least supported|32 7 -11
cue less contradicted|9 -9 -7
cue less supported|29 11 1
cue less unsaid|-3 -13 -25
cue more contradicted|-8 -13 -1
cue more doubted|-5 -7 -18
cue more supported|0 -7 -5
cue more unread|23 38 14
cue more unsaid|24 16 -19
cue most contradicted|-28 -30 -23
cue most doubted|3 6 -8
cue most open|-2 -5 -6
cue most supported|4 2 10
cue not contradicted|28 8 26
cue not doubted|22 -15 4
cue not supported|56 17 12
cue not unsaid|-22 -3 -9
cue only contradicted|-42 -23 -32
cue only doubted|-29 -42 -52
cue only supported|-5 -2 -15
cue only unsaid|-26 -36 -34
cue over contradicted|-10 -26 3
cue over doubted|-11 -15 -5
cue over supported|44 27 14
cue over unsaid|-11 -18 -60
cue rises contradicted|18 -7 -6
cue rises doubted|9 4 -9
cue rises supported|10 3 20
cue same supported|-4 -12 -17
cue so supported|0 11 41
cue steady supported|-1 0 5
cue than contradicted|22 -7 3
cue than doubted|19 -8 -16
cue than open|-11 4 -12
cue than supported|-26 -16 -31
cue than unread|-9 -12 -17
cue than unsaid|-7 -29 -43
cue to contradicted|7 2 -1
cue to doubted|-15 -33 12
cue to open|4 -17 16
cue to supported|11 41 14
cue to unsaid|-10 3 10
cue total supported|-6 -11 7
cue total unsaid|-4 -16 -5
cue twice contradicted|-6 10 -8
cue twice supported|9 1 -11
cue under contradicted|-28 -22 -30
cue under supported|17 10 -5
denied unsaid|-1 21 20
derived contradicted|-48 -33 -12
derived doubted|-11 -24 64
derived open|-12 -54 -46
derived supported|8 18 57
derived unsaid|23 29 77
doubted|11 5 1
extreme contradicted|3 -12 -14
extreme doubted|9 -2 -14
extreme open|0 -25 0
extreme supported|15 0 -11
idle doubted|-39 -7 -16
idle open|-16 -23 -7
idle unread|2 -14 -3
length 0 contradicted|19 -3 -28
length 0 doubted|10 -13 15
length 0 open|-9 6 19
length 0 supported|9 -24 -1
length 0 unsaid|4 7 -16
length 1 contradicted|8 35 31
length 1 doubted|24 46 29
length 1 open|15 36 16
length 1 supported|-35 -51 -30
length 1 unread|-7 35 18
length 1 unsaid|-13 25 42
length 2 contradicted|24 -2 19
length 2 doubted|-13 10 -15
length 2 open|-1 -3 -30
length 2 supported|-12 18 15
length 2 unread|-2 67 31
length 2 unsaid|-21 -21 -19
length 3 contradicted|2 -20 -9
length 3 doubted|7 -15 -12
length 3 supported|8 32 -2
length 3 unsaid|18 -2 19
length 4 supported|8 1 3
loose column contradicted|-84 -51 -51
loose column doubted|-3 31 35
loose column supported|48 38 42
loose row contradicted|-70 47 -4
loose row supported|1 10 32
movement contradicted|42 9 2
movement doubted|-4 -24 -24
movement supported|-17 -9 7
nameless contradicted|32 12 22
nameless doubted|-21 -9 11
nameless open|15 2 47
nameless supported|-3 -3 30
nameless unread|-8 -2 16
nameless unsaid|-9 -36 54
names 0 contradicted|-14 11 28
names 0 doubted|-58 3 -5
names 0 open|7 43 26
names 0 supported|7 21 33
names 0 unread|-7 26 19
names 0 unsaid|-13 33 76
names 1 contradicted|26 -1 -6
names 1 doubted|33 3 -8
names 1 open|19 29 15
names 1 supported|-19 2 -25
names 1 unread|15 24 5
names 1 unsaid|5 -3 -40
names 2 contradicted|23 -4 -11
names 2 doubted|34 -6 15
names 2 open|-11 -26 -23
names 2 supported|14 -31 -10
names 2 unsaid|-32 -30 -21
names 3 contradicted|-15 -7 -18
names 3 doubted|1 5 -1
names 3 supported|-1 -10 -12
names 3 unsaid|29 -5 -11
nothing unsaid|-11 -4 4
number best count contradicted|-33 -5 -1
number best count doubted|10 -4 4
number best count supported|15 17 13
number best nowhere contradicted|25 39 24
number best nowhere doubted|22 28 7
number best nowhere supported|3 -7 -13
number best nowhere unread|18 32 30
number best own contradicted|-7 -31 -32
number best own doubted|-10 -5 -31
number best own open|-27 -45 -48
number best own supported|-33 -38 -56
number best read contradicted|4 -7 -18
number best read doubted|5 -6 7
number best read supported|0 -8 -12
number best sentence contradicted|4 -5 -1
number best sentence supported|-6 -8 -7
number best worked contradicted|-20 -21 -10
number best worked doubted|-28 -23 -15
number best worked elsewhere contradicted|-3 13 18
number best worked elsewhere doubted|9 4 -6
number best worked elsewhere supported|-6 9 17
number best worked supported|5 1 0
number bound contradicted|10 1 5
number bound doubted|8 -14 18
number bound supported|60 47 28
number digits 1 count doubted|-20 -17 -15
number digits 1 count supported|-23 -2 -5
number digits 1 count value doubted|-22 -14 -20
number digits 1 nowhere contradicted|-43 -13 7
number digits 1 nowhere doubted|-37 -19 -13
number digits 1 nowhere supported|-3 -6 -9
number digits 1 nowhere value doubted|-25 -6 -1
number digits 1 own contradicted|-8 -11 -11
number digits 1 own row supported|28 13 12
number digits 1 own supported|29 28 27
number digits 1 own value supported|4 21 22
number digits 1 read contradicted|7 16 1
number digits 1 read doubted|3 6 23
number digits 1 read value contradicted|9 22 7
number digits 1 read value doubted|-2 6 21
number digits 1 worked comparison supported|-9 -8 -9
number digits 1 worked contradicted|32 5 5
number digits 1 worked doubted|-8 18 -5
number digits 1 worked elsewhere contradicted|2 6 23
number digits 1 worked elsewhere doubted|13 9 15
number digits 1 worked elsewhere value doubted|2 9 13
number digits 1 worked supported|-12 -10 -4
number digits 1 worked value doubted|-5 27 4
number digits 1 worked value supported|16 15 23
number digits 2 nowhere contradicted|20 31 2
number digits 2 nowhere doubted|37 53 16
number digits 2 nowhere value contradicted|-6 5 -8
number digits 2 nowhere value doubted|16 40 10
number digits 2 own contradicted|-16 -17 -16
number digits 2 own extreme supported|-14 -10 -9
number digits 2 own row supported|-16 -9 -9
number digits 2 own supported|2 -29 -23
number digits 2 own value supported|26 -10 -4
number digits 2 read contradicted|10 -9 -6
number digits 2 read doubted|6 18 10
number digits 2 read supported|-6 -9 -11
number digits 2 read value contradicted|-6 -15 -12
number digits 2 read value doubted|3 13 -9
number digits 2 read value supported|7 -2 -3
number digits 2 sentence supported|-22 -16 -20
number digits 2 worked contradicted|-27 -28 -28
number digits 2 worked doubted|-2 -17 0
number digits 2 worked elsewhere contradicted|25 25 11
number digits 2 worked elsewhere doubted|-13 -13 -25
number digits 2 worked elsewhere supported|-1 7 15
number digits 2 worked elsewhere value contradicted|4 19 5
number digits 2 worked elsewhere value doubted|-7 -2 -15
number digits 2 worked movement supported|2 -7 -11
number digits 2 worked supported|-30 -13 -27
number digits 2 worked value contradicted|5 -5 -4
number digits 2 worked value supported|-11 5 10
number digits 3 nowhere contradicted|20 7 14
number digits 3 nowhere doubted|4 1 -18
number digits 3 nowhere value contradicted|22 15 2
number digits 3 own extreme supported|-12 -7 -7
number digits 3 own movement supported|6 1 2
number digits 3 own row supported|-5 -3 -4
number digits 3 own supported|-22 -9 -13
number digits 3 own value supported|-9 1 -2
number digits 3 read contradicted|0 -8 -6
number digits 3 read value contradicted|-4 -10 -8
number digits 4 nowhere contradicted|25 3 2
number digits 4 nowhere value contradicted|17 1 1
number digits 4 own supported|-28 -9 -21
number digits 4 own value supported|-33 -10 -20
number digits 4 worked supported|13 7 12
number near contradicted|9 21 -18
number near doubted|26 9 -1
number near supported|-4 -31 -35
number neighbour contradicted|49 9 2
number neighbour doubted|34 -3 20
number neighbour open|6 -8 -15
number neighbour supported|10 -6 -9
number neighbour value contradicted|15 -16 -12
number neighbour value doubted|14 -8 1
number neighbour value open|-9 -12 -20
number neighbour value supported|27 10 11
number off 0.02 comparison supported|24 11 11
number off 0.02 contradicted|-15 -28 -24
number off 0.02 doubted|-14 8 -22
number off 0.02 extreme supported|-33 -21 -20
number off 0.02 movement supported|6 -2 -2
number off 0.02 row supported|10 2 -1
number off 0.02 supported|-28 -33 -42
number off 0.02 value contradicted|5 -8 -5
number off 0.02 value supported|-33 -22 -28
number off 0.1 contradicted|-3 11 -9
number off 0.1 supported|-4 -10 -11
number off 0.1 value contradicted|9 20 0
number off 0.1 value supported|22 5 6
number off 0.3 contradicted|1 11 -16
number off 0.3 doubted|34 31 19
number off 0.3 supported|3 12 -9
number off 0.3 value contradicted|-5 19 -9
number off 0.3 value doubted|25 30 18
number off 0.3 value supported|31 16 7
number off 1 aggregate supported|14 2 -2
number off 1 comparison contradicted|-36 -30 -30
number off 1 comparison supported|-5 -7 -9
number off 1 contradicted|-12 -37 -26
number off 1 doubted|4 -22 -15
number off 1 movement supported|0 -1 -12
number off 1 supported|-2 3 -20
number off 1 value contradicted|-15 -13 13
number off 1 value doubted|-6 13 10
number off 1 value open|-16 10 -1
number off 1 value supported|-8 21 14
number off 5 aggregate supported|18 10 18
number off 5 contradicted|-12 8 18
number off 5 doubted|0 -9 -3
number off 5 supported|4 13 38
number off 5 value contradicted|-24 -10 -12
number off 5 value supported|0 14 32
number part contradicted|-20 -16 9
number part open|1 40 33
number part supported|34 37 13
number percent contradicted|22 18 14
number percent doubted|34 41 -6
number percent supported|-1 -1 11
number role , contradicted|17 -20 -22
number role , doubted|-23 -5 -24
number role , supported|-29 -35 -32
number role : contradicted|27 2 3
number role : supported|-23 -19 -10
number role and supported|9 -1 2
number role are supported|-13 -10 -12
number role at supported|-41 -28 -31
number role by contradicted|-15 -23 -16
number role by doubted|10 -2 26
number role by supported|3 14 12
number role costs supported|0 2 10
number role for supported|-11 0 -10
number role from supported|3 -7 -6
number role has supported|-13 -9 -12
number role have supported|9 0 -2
number role is contradicted|34 30 25
number role is supported|-31 -17 8
number role of doubted|-3 -17 2
number role of supported|-9 13 1
number role to contradicted|9 -7 -5
number role to doubted|-16 -13 -25
number role to supported|15 0 -12
number role was supported|-11 2 -6
number role were supported|49 27 37
number role with supported|63 24 21
number role → supported|3 -2 -6
number shuffled contradicted|83 16 14
number small contradicted|8 18 29
number small doubted|-41 -15 8
number small open|-6 -11 -15
number small supported|0 -9 30
number spelled contradicted|-43 -10 -11
number spelled doubted|-82 -88 -49
number spelled open|-24 9 -4
number spelled supported|8 18 11
number worst count count supported|5 -1 -3
number worst count doubted|21 1 9
number worst count supported|4 10 6
number worst count value doubted|-6 -6 -7
number worst nowhere comparison contradicted|-18 -16 -15
number worst nowhere contradicted|26 28 24
number worst nowhere doubted|30 29 10
number worst nowhere open|43 27 20
number worst nowhere supported|4 -10 -18
number worst nowhere unread|18 32 30
number worst nowhere value contradicted|8 24 19
number worst nowhere value doubted|21 31 20
number worst nowhere value open|14 32 15
number worst nowhere value supported|2 -5 -9
number worst nowhere value unread|16 27 21
number worst own comparison contradicted|-24 -16 -16
number worst own contradicted|-42 -39 -39
number worst own count supported|-26 -14 -14
number worst own doubted|-33 -11 -39
number worst own extreme supported|-15 -13 -12
number worst own movement supported|0 -6 -6
number worst own row supported|10 2 -1
number worst own supported|-15 -19 -30
number worst own value doubted|-30 -3 -30
number worst own value supported|-8 2 -5
number worst read contradicted|26 2 -9
number worst read doubted|0 -8 5
number worst read open|-6 -12 -17
number worst read supported|-12 -19 -22
number worst read value contradicted|4 -1 -12
number worst read value doubted|-10 -14 -16
number worst read value open|-22 -32 -26
number worst read value supported|4 -12 -21
number worst sentence contradicted|6 -4 0
number worst sentence supported|-7 -8 -7
number worst sentence value supported|-5 -4 1
number worst worked aggregate supported|-6 -7 1
number worst worked comparison supported|1 -5 -7
number worst worked contradicted|-32 -35 -46
number worst worked doubted|-28 -25 -16
number worst worked elsewhere contradicted|-9 10 21
number worst worked elsewhere doubted|18 9 -2
number worst worked elsewhere supported|19 25 27
number worst worked elsewhere value contradicted|15 31 27
number worst worked elsewhere value doubted|4 17 3
number worst worked elsewhere value supported|10 10 16
number worst worked movement supported|-2 -15 -19
number worst worked open|-2 -6 2
number worst worked supported|-15 -13 -14
number worst worked value contradicted|-18 -25 -23
number worst worked value doubted|10 8 16
number worst worked value open|-1 6 8
number worst worked value supported|-4 10 19
numbers 0 contradicted|49 15 13
numbers 0 doubted|-13 -8 -4
numbers 0 open|5 26 34
numbers 0 supported|22 14 44
numbers 0 unread|-10 -8 -14
numbers 0 unsaid|8 24 62
numbers 1 contradicted|-14 7 -5
numbers 1 doubted|1 8 4
numbers 1 open|4 5 -17
numbers 1 supported|-2 2 -18
numbers 1 unread|-7 21 7
numbers 2 contradicted|-32 -27 -20
numbers 2 open|-16 -7 -37
numbers 2 supported|-22 -33 -33
numbers 3 supported|3 -3 -6
only supported|-31 -18 -17
open|6 22 -2
other row supported|-17 -9 15
other row value supported|-20 -17 -13
otherwise|18 -3 12
otherwise comparison|12 4 9
otherwise comparison supported|7 3 8
otherwise extreme|25 4 3
otherwise extreme supported|22 -1 -13
otherwise movement|-14 -7 7
otherwise movement supported|-8 -5 7
otherwise supported|18 3 13
otherwise value|-22 -13 -19
otherwise value supported|-19 -2 0
part of column contradicted|-4 4 14
part of column supported|-20 -16 -12
part of column unsaid|-10 -17 0
part of row contradicted|19 -2 8
part of row supported|-52 -7 -7
plain contradicted|58 9 19
plain row supported|6 0 -3
plain supported|6 -6 16
plain value contradicted|53 8 17
plain value supported|0 -6 19
pronoun contradicted|-26 10 -23
pronoun doubted|-3 -7 -22
pronoun open|14 31 14
pronoun supported|-36 21 -16
pronoun unread|15 4 9
pronoun unsaid|9 24 0
reading 1 aggregate supported|1 -6 6
reading 1 comparison supported|-10 -22 -40
reading 1 count supported|-16 -16 -19
reading 1 extreme supported|-11 -1 -1
reading 1 movement supported|-11 -5 -1
reading 1 row supported|10 2 -1
reading 1 supported|-20 -19 -38
reading 1 value supported|-7 2 -11
reading 2 extreme supported|16 2 -6
reading 2 supported|27 0 14
reading 2 value supported|-14 -14 -2
reading 3 supported|-15 -11 9
reading 3 value supported|-6 -7 6
reading 4 supported|-5 8 -17
reading 4 value supported|-11 11 -12
readings 1 comparison contradicted|-10 -6 -27
readings 1 contradicted|33 5 -19
readings 1 count contradicted|31 10 0
readings 1 doubted|-1 5 -18
readings 1 extreme contradicted|5 -4 -11
readings 1 movement contradicted|17 -6 -5
readings 1 movement doubted|-28 -24 -25
readings 1 value contradicted|-7 14 20
readings 1 value doubted|-9 8 -6
readings 2 contradicted|-44 -27 -20
readings 2 doubted|-1 -19 7
readings 2 value doubted|-3 4 21
readings 3 doubted|8 3 9
readings 3 value doubted|1 6 9
readings 4 contradicted|-14 6 7
readings 4 doubted|14 15 6
readings 4 value doubted|15 22 -1
row far column own nothing unsaid|8 13 65
row far column own value doubted|14 -2 17
row far column own value supported|12 -2 8
row far contradicted|17 12 15
row far doubted|11 24 23
row far supported|11 53 41
row far unsaid|-10 6 51
row near column far value supported|-6 -7 -10
row near column near nothing unsaid|0 23 -4
row near column near value doubted|2 -34 -34
row near column near value supported|-8 -10 -10
row near column open value supported|43 17 19
row near column own extreme supported|-29 -17 -16
row near column own nothing unsaid|-13 8 -32
row near column own value contradicted|-16 0 1
row near column own value doubted|-4 21 6
row near column own value open|-13 -7 -17
row near column own value supported|-15 -20 -19
row near contradicted|-17 -8 0
row near doubted|-4 -18 -27
row near open|-32 -13 -46
row near supported|7 -37 -37
row near unsaid|-5 33 -59
row open column open nothing unsaid|-6 -10 4
row open column open value doubted|10 14 45
row open column own aggregate supported|-16 -9 -3
row open column own calculation supported|-18 -9 -3
row open column own comparison contradicted|-15 -6 9
row open column own comparison supported|-13 -9 -10
row open column own extreme open|-16 -11 34
row open column own movement supported|-1 -6 -6
row open column own nothing unsaid|23 22 65
row open column own value doubted|-25 -21 -10
row open column own value supported|3 -10 -15
row open column own value unread|3 31 20
row open contradicted|2 2 16
row open doubted|-10 -1 20
row open open|7 9 50
row open supported|-14 -15 33
row open unread|3 22 30
row open unsaid|8 -5 45
row own column far comparison supported|13 0 -1
row own column far value supported|-14 -11 -12
row own column near value supported|-9 -8 2
row own column open calculation supported|-41 -33 -48
row own column open extreme supported|-1 -8 -23
row own column open movement supported|6 6 4
row own column open nothing unsaid|10 19 51
row own column open value supported|-5 34 25
row own column own aggregate supported|7 -1 -4
row own column own comparison contradicted|9 5 -7
row own column own comparison supported|8 0 -15
row own column own comparison unread|-1 -5 -14
row own column own count supported|-25 -15 -14
row own column own extreme contradicted|19 -5 -3
row own column own extreme supported|-1 -6 -19
row own column own movement contradicted|-5 2 -3
row own column own movement supported|-12 -1 -4
row own column own nothing unsaid|-13 -48 -69
row own column own row supported|10 2 -1
row own column own value contradicted|10 3 -17
row own column own value doubted|-4 18 9
row own column own value open|2 -21 -19
row own column own value supported|7 2 14
row own contradicted|18 -8 -39
row own doubted|14 0 -15
row own open|31 12 -16
row own supported|-3 -20 -51
row own unread|-17 -29 -34
row own unsaid|-3 -38 -34
row supported|7 -1 -5
says about supported|1 -4 -7
says above supported|-12 -12 -11
says against supported|-13 -11 -14
says age supported|-6 -3 -10
says all contradicted|10 3 12
says all supported|-25 -17 -6
says and contradicted|-16 -32 -27
says and doubted|-37 -44 -13
says and open|-6 -43 -35
says and supported|-13 -10 -17
says and unsaid|31 3 14
says april supported|1 9 -1
says are contradicted|21 18 17
says are doubted|-17 -13 -27
says are supported|-30 -21 -12
says are unsaid|-8 -6 -27
says as contradicted|-14 -3 -9
says as supported|-4 6 1
says as unsaid|-7 -22 -16
says at contradicted|-20 -7 -14
says at doubted|15 27 17
says at supported|15 -3 15
says at unsaid|7 0 -6
says between contradicted|6 -6 -4
says between supported|-20 -15 -11
says billion supported|-16 -9 -10
says book contradicted|3 -7 -5
says book supported|29 5 -2
says both supported|-6 -10 -9
says brazil supported|18 11 19
says by contradicted|-7 -26 -18
says by doubted|-25 -14 5
says by supported|11 21 14
says by unsaid|-9 -22 -31
says came supported|16 9 17
says chart supported|-3 5 23
says column supported|27 14 22
says come supported|-17 -1 -9
says country supported|-17 -13 -14
says day supported|6 14 -1
says demand supported|-7 -7 -9
says dollar supported|-7 -5 -7
says each supported|13 0 -4
says euro supported|-15 -11 -12
says every contradicted|-12 -13 -12
says every supported|-26 -22 -26
says exactly supported|10 -4 -6
says fell supported|-18 -4 -12
says fewer supported|41 14 13
says for contradicted|-1 2 10
says for doubted|-3 29 11
says for supported|-8 -7 -16
says for unsaid|22 27 24
says from open|-15 -7 -12
says from supported|-6 2 -8
says from unsaid|-19 -15 -12
says game supported|-8 -7 -9
says get supported|-17 -6 1
says got supported|19 6 3
says group supported|-37 -23 -24
says grow supported|-29 -17 -14
says had contradicted|-5 -12 -10
says had supported|42 40 20
says half supported|21 14 5
says has contradicted|22 6 15
says has supported|-34 -27 -33
says have contradicted|-8 21 -2
says have supported|18 9 29
says height supported|19 8 8
says highest supported|-23 -12 0
says hour supported|17 5 5
says important supported|-2 -6 -7
says in contradicted|-8 -12 -34
says in doubted|13 -48 -54
says in open|-15 -11 -48
says in supported|6 32 -8
says in unread|20 4 -11
says in unsaid|-13 30 -17
says is contradicted|18 10 38
says is doubted|14 12 33
says is open|-6 10 21
says is supported|-9 -1 -10
says is unsaid|-2 2 22
says it contradicted|40 39 24
says it doubted|-1 -16 -14
says it supported|-9 -7 -15
says it unsaid|9 12 -1
says its supported|0 19 17
says just supported|-13 -10 -11
says km supported|16 8 16
says largest supported|-35 -24 -30
says less supported|-2 7 -2
says line supported|-23 -6 -17
says loss supported|22 15 8
says lowest supported|6 -1 -3
says make supported|13 19 1
says many supported|-14 -10 -11
says may supported|22 7 7
says medal supported|-4 5 -3
says million contradicted|28 7 3
says million doubted|-17 -19 -30
says million supported|-15 -27 -30
says minute supported|0 -6 -5
says mm supported|7 -2 -6
says more contradicted|8 -2 -5
says more supported|-29 -16 -13
says most supported|-3 31 -14
says much supported|-4 1 12
says no supported|-1 -5 -8
says not supported|20 7 6
says number supported|-42 -27 -31
says of contradicted|-18 -19 -9
says of doubted|-26 2 -33
says of open|3 6 -30
says of supported|-9 53 19
says of unread|-1 -36 -31
says of unsaid|-11 5 -39
says on contradicted|5 12 -2
says on doubted|-3 2 -17
says on supported|-20 -10 -9
says one contradicted|-18 -14 -8
says one supported|3 3 17
says only supported|-1 4 -9
says or supported|-8 -10 -12
says other supported|-17 -10 -5
says over supported|-15 -5 -15
says percentage supported|-5 -9 -10
says person supported|21 3 1
says point doubted|-9 -2 18
says point supported|-39 -19 -7
says price contradicted|-7 1 -8
says price doubted|8 20 19
says price supported|-33 -10 21
says quarter supported|-9 1 -6
says rate supported|-3 8 8
says revenue supported|-4 -5 -7
says rose supported|3 10 1
says roughly supported|20 3 1
says row supported|-15 -12 -6
says sale supported|42 19 18
says same supported|13 -1 -3
says saturday supported|5 1 0
says share contradicted|27 8 8
says share supported|-1 -11 -13
says sibling supported|-22 -13 -14
says smallest supported|-24 -17 -22
says solar supported|14 21 9
says still supported|21 7 7
says student supported|-18 -23 -32
says supply supported|-7 -6 -8
says table supported|1 8 1
says than contradicted|16 -9 1
says than open|-21 0 -16
says than supported|2 1 -14
says than unread|-4 -1 -10
says that contradicted|-10 0 2
says that supported|-4 15 -2
says that unsaid|-11 -25 -22
says the contradicted|-13 19 7
says the doubted|15 -16 -35
says the open|14 -20 -5
says the supported|-24 -40 -27
says the unread|0 1 -29
says them supported|-3 11 -10
says there contradicted|18 9 26
says there supported|-13 -1 -15
says they supported|-13 -11 -12
says thousand contradicted|2 -6 -6
says thousand supported|-2 8 -2
says thursday supported|-7 -5 -6
says time supported|-9 -10 -12
says to doubted|-21 -32 12
says to open|10 -8 21
says to supported|19 34 17
says to unsaid|-7 10 16
says together supported|-19 -15 -19
says ton supported|28 23 14
says total supported|-9 -7 0
says town supported|-20 -13 -15
says twice supported|0 -5 -6
says unit supported|-12 3 -10
says up contradicted|20 4 3
says up supported|-14 15 11
says very supported|-2 -8 -10
says visitor supported|5 0 -2
says vote supported|33 13 10
says was contradicted|-1 13 -4
says was supported|18 8 1
says we unsaid|13 9 48
says wednesday supported|-27 -16 -17
says were contradicted|29 7 9
says were supported|9 12 5
says win supported|26 14 21
says with contradicted|18 -1 -1
says with supported|6 -18 -29
says with unsaid|-6 -12 17
says woman supported|10 2 1
says year contradicted|-13 -1 -18
says year doubted|-15 -1 -21
says year supported|3 -5 -25
strange 0 contradicted|71 -7 16
strange 0 doubted|20 -20 -5
strange 0 open|-5 -2 6
strange 0 supported|-12 -50 -32
strange 0 unsaid|-6 -32 2
strange 1 contradicted|3 5 8
strange 1 doubted|2 24 -4
strange 1 open|-11 -17 -6
strange 1 supported|-42 -43 -6
strange 1 unread|-3 38 9
strange 1 unsaid|9 -15 16
strange 2 contradicted|24 9 -1
strange 2 doubted|13 18 20
strange 2 open|-12 30 -21
strange 2 supported|-24 -35 -42
strange 2 unread|1 30 18
strange 2 unsaid|4 -6 -4
strange 3 contradicted|-6 9 -16
strange 3 doubted|6 11 -13
strange 3 open|18 -14 20
strange 3 supported|31 9 19
strange 3 unread|8 -47 -13
strange 3 unsaid|-28 -4 -34
strange 4 contradicted|-60 -45 -42
strange 4 doubted|-2 13 26
strange 4 supported|21 51 16
strange 4 unsaid|3 52 2
strange 5 supported|3 3 7
strange doubted|4 44 10
strange value doubted|-42 29 -11
supported|1 -19 -14
two names comparison contradicted|25 1 4
two names comparison supported|-2 -5 1
two names contradicted|27 -7 -4
two names doubted|-14 -9 0
two names movement contradicted|7 1 2
two names movement supported|-30 -20 -22
two names supported|-2 -14 -5
two names value supported|9 6 14
unbound doubted|8 16 21
unbound value doubted|7 17 13
unknown 0 contradicted|29 -51 -8
unknown 0 doubted|35 -25 -8
unknown 0 open|3 -28 5
unknown 0 supported|-13 -92 -56
unknown 0 unread|-18 -20 -33
unknown 0 unsaid|4 -40 -32
unknown 1 contradicted|-8 -6 -30
unknown 1 doubted|9 0 -20
unknown 1 open|-31 7 -23
unknown 1 supported|-24 -27 -23
unknown 1 unread|22 50 35
unknown 1 unsaid|-24 2 -18
unknown 2 contradicted|-11 32 16
unknown 2 doubted|-6 24 17
unknown 2 supported|-10 26 16
unknown 2 unread|0 4 14
unknown 2 unsaid|4 18 22
unknown 3 doubted|-19 16 15
unknown 3 supported|-4 -8 -10
unknown 3 unsaid|0 4 27
unknown 4 supported|52 82 59
unknown 4 unsaid|5 12 5
unread|-17 13 -7
unsaid|-11 -4 4
unsure doubted|2 -28 -17
unsure extreme doubted|-9 -1 -18
unsure movement doubted|-5 -19 -21
unsure value doubted|20 0 27
value contradicted|-3 27 23
value doubted|4 40 22
value open|-24 -5 -19
value supported|8 14 4
value unread|-7 31 1
without row in part supported|57 22 23
word all contradicted|10 3 12
word all supported|-25 -17 -6
word both supported|-6 -10 -9
word each supported|13 0 -4
word every contradicted|-12 -13 -12
word every supported|-26 -22 -26
word first supported|-18 -11 -2
word half supported|21 14 5
word only supported|-1 4 -9
word other supported|-15 -9 -4
word same supported|13 -1 -3
word second supported|18 19 17
word twice supported|0 -5 -6
"""
