"""What the signs of a statement are worth, in hundredths, for being wrong, missing and nothing at all rather than right: written by
`scripts/fit_reader.py`, not by hand."""

CONSTANT = (0.0, -1.49, -0.68)
WEIGHTS = """\
absent unread|-11 44 7
after contradicted extreme supported|-12 -8 -1
after contradicted supported|36 19 14
after contradicted value supported|34 11 11
after doubted supported|-9 -5 -3
after doubted value supported|-4 -3 -5
after open supported|15 18 20
after open value supported|-8 2 -7
aggregate contradicted|-19 -3 28
aggregate supported|9 3 22
alone False contradicted|-2 -32 -8
alone False doubted|3 -41 9
alone False open|-39 -42 -15
alone False supported|-7 -38 2
alone False unread|-35 -37 -9
alone True contradicted|47 36 18
alone True doubted|6 45 -8
alone True open|26 45 34
alone True supported|-16 -1 -30
alone True unread|18 56 6
alternative extreme supported|17 10 27
alternative supported|41 31 32
alternative value supported|21 11 -1
any column supported|16 27 0
any column value supported|12 20 7
aside supported|40 7 -5
beside 0 doubted contradicted|34 17 11
beside 0 doubted doubted|26 58 -1
beside 0 doubted open|10 33 19
beside 0 doubted supported|-44 -56 -52
beside 0 doubted unread|-11 26 -30
beside 0 right contradicted|6 26 22
beside 0 right doubted|-16 5 -6
beside 0 right open|-1 15 2
beside 0 right supported|-23 -3 -16
beside 0 right unread|6 30 -2
beside 0 wrong contradicted|49 17 -38
beside 0 wrong doubted|10 18 -10
beside 0 wrong open|-19 31 -20
beside 0 wrong supported|-95 -33 -55
beside 0 wrong unread|-3 72 -20
beside 1 doubted contradicted|1 -14 -1
beside 1 doubted doubted|9 -24 22
beside 1 doubted open|-14 -4 24
beside 1 doubted supported|0 3 -16
beside 1 right contradicted|-7 -2 -3
beside 1 right doubted|8 21 -14
beside 1 right open|13 24 -9
beside 1 right supported|13 14 11
beside 1 right unread|-16 6 -15
beside 1 wrong contradicted|31 7 43
beside 1 wrong doubted|-5 -13 4
beside 1 wrong open|0 -27 16
beside 1 wrong supported|-2 -42 -24
beside 2 doubted doubted|-26 -30 -21
beside 2 doubted open|-9 -28 -24
beside 2 doubted supported|21 14 40
beside 2 right contradicted|8 -4 17
beside 2 right doubted|-2 -16 18
beside 2 right open|8 21 23
beside 2 right supported|-11 -21 -11
beside 2 wrong contradicted|-35 -20 5
beside 2 wrong supported|73 35 52
beside 3 right contradicted|38 -15 -26
beside 3 right doubted|18 -7 2
beside 3 right open|-33 -58 3
beside 3 right supported|-3 -29 -11
calculates|-20 -53 -7
calculation supported|-8 -7 7
column far contradicted|2 -1 26
column far doubted|16 32 17
column far supported|7 25 6
column far unsaid|-12 -10 -17
column near contradicted|-3 -4 -25
column near doubted|-8 -19 -25
column near supported|-3 -9 -23
column near unsaid|-11 -15 -47
column open contradicted|-27 -11 -6
column open doubted|-4 23 18
column open supported|13 28 28
column open unsaid|1 31 42
column own contradicted|44 16 0
column own doubted|5 -32 -10
column own open|4 27 2
column own supported|-13 -54 -16
column own unread|1 31 13
column own unsaid|9 -9 27
comparison contradicted|-49 -35 -35
comparison open|-6 23 19
comparison supported|-22 -19 -40
comparison unread|0 7 -3
computed missing|-29 -21 57
computed supported|-17 9 28
contradicted|16 0 -5
count supported|-29 -22 -26
cue as supported|3 -5 -7
cue beats supported|-10 -15 -19
cue both supported|-20 -21 -23
cue both unsaid|8 -13 7
cue every contradicted|-11 -13 15
cue every doubted|-15 -27 -28
cue every open|-28 -47 -46
cue every supported|-33 -44 -45
cue every unsaid|5 -1 11
cue falls contradicted|15 17 1
cue falls doubted|-40 -34 -40
cue falls supported|19 21 9
cue from contradicted|0 -6 -11
cue from doubted|1 -11 -13
cue from open|-27 -24 -17
cue from supported|5 -3 -19
cue from unsaid|-5 -1 -3
cue hedge contradicted|-33 -16 -8
cue hedge doubted|-11 29 2
cue hedge supported|7 16 -6
cue hedge unsaid|-9 5 19
cue least contradicted|34 18 8
cue least supported|24 3 -14
cue less contradicted|9 -7 -6
cue less supported|34 12 2
cue less unsaid|10 0 -18
cue more contradicted|-12 -16 -6
cue more doubted|-4 -10 -21
cue more supported|-8 -10 -9
cue more unread|23 38 13
cue more unsaid|7 15 -21
cue most contradicted|-34 -33 -28
cue most doubted|-3 5 -9
cue most open|-6 -8 -13
cue most supported|3 3 12
cue not doubted|12 -12 0
cue not supported|49 13 9
cue not unsaid|-24 -8 -12
cue only contradicted|-47 -25 -34
cue only doubted|-19 -32 -42
cue only supported|0 -1 -17
cue only unsaid|-28 -38 -36
cue over contradicted|-39 -38 -13
cue over doubted|5 2 4
cue over supported|7 8 -4
cue over unsaid|-12 0 -43
cue rises contradicted|4 -9 -10
cue rises doubted|16 9 -4
cue rises supported|9 5 20
cue same supported|-7 -12 -16
cue so supported|1 10 40
cue than contradicted|10 -12 -3
cue than open|-9 12 -13
cue than supported|-6 -7 -22
cue than unread|-9 -12 -18
cue times supported|7 1 -1
cue to contradicted|11 0 -3
cue to doubted|1 -18 17
cue to open|6 -8 17
cue to supported|-4 30 3
cue to unsaid|-10 1 5
cue total supported|0 -4 16
cue total unsaid|-6 -8 3
cue twice contradicted|-10 -3 -12
cue twice supported|6 11 -8
cue under contradicted|-29 -20 -29
cue under supported|40 20 4
denied unsaid|1 20 21
derived contradicted|-26 -19 0
derived doubted|-9 -17 60
derived open|-10 -48 -46
derived supported|14 13 45
derived unsaid|13 19 67
doubted|9 4 0
extreme contradicted|-5 -16 -20
extreme doubted|4 0 -14
extreme open|-3 -16 0
extreme supported|10 -2 -11
idle doubted|-27 -30 -22
idle open|-3 -17 -3
idle unread|2 -13 -3
length 0 contradicted|9 -3 -25
length 0 doubted|11 -10 7
length 0 open|-6 8 20
length 0 supported|-16 -31 -9
length 0 unsaid|4 13 -6
length 1 contradicted|-4 34 21
length 1 doubted|8 36 31
length 1 open|13 21 17
length 1 supported|-41 -46 -22
length 1 unread|-8 29 14
length 1 unsaid|-6 23 44
length 2 contradicted|39 2 30
length 2 doubted|-5 7 -11
length 2 open|-5 -8 -34
length 2 supported|4 28 24
length 2 unread|-3 64 28
length 2 unsaid|-28 -23 -22
length 3 contradicted|2 -21 -11
length 3 doubted|1 -17 -18
length 3 supported|25 35 -2
length 3 unsaid|15 -4 13
length 4 supported|14 2 4
loose column contradicted|-71 -45 -45
loose column supported|25 28 32
loose row contradicted|-53 50 4
loose row supported|22 17 38
movement contradicted|26 3 -4
movement doubted|-7 -21 -24
movement supported|-11 -8 7
nameless doubted|-19 -11 15
nameless open|19 -1 45
nameless supported|-8 -1 35
nameless unread|-9 -7 13
nameless unsaid|-5 -28 46
names 0 contradicted|-7 24 36
names 0 doubted|-55 6 -1
names 0 open|9 38 26
names 0 supported|6 22 42
names 0 unread|-7 30 23
names 0 unsaid|-6 42 75
names 1 contradicted|17 -9 -9
names 1 doubted|32 16 -6
names 1 open|18 16 9
names 1 supported|-7 12 -24
names 1 unread|15 25 5
names 1 unsaid|-2 -16 -39
names 2 contradicted|12 -12 -18
names 2 doubted|29 -9 11
names 2 open|-22 -24 -27
names 2 supported|-1 -36 -15
names 2 unsaid|-31 -24 -18
names 3 contradicted|-6 -3 -15
names 3 doubted|3 -8 -5
names 3 supported|7 -7 -8
names 3 unsaid|27 -6 -13
nothing unsaid|-13 -3 5
number best count doubted|8 1 -5
number best nowhere contradicted|13 31 17
number best nowhere doubted|19 32 9
number best nowhere supported|-4 -12 -20
number best nowhere unread|17 28 27
number best own contradicted|-4 -34 -38
number best own doubted|-7 -31 -31
number best own open|-18 -22 -33
number best own supported|-35 -44 -66
number best read contradicted|9 -1 -10
number best read doubted|8 0 7
number best read supported|-6 -9 -13
number best sentence contradicted|-4 -9 -9
number best sentence doubted|10 13 34
number best worked contradicted|-13 -17 8
number best worked doubted|-34 -21 -16
number best worked elsewhere contradicted|-13 8 2
number best worked elsewhere doubted|12 16 5
number best worked supported|1 -3 -6
number bound doubted|13 -10 19
number bound supported|57 45 26
number digits 1 count doubted|-13 -9 -21
number digits 1 count supported|-18 1 -1
number digits 1 count value doubted|-16 -6 -27
number digits 1 nowhere contradicted|-47 -14 5
number digits 1 nowhere doubted|-34 -23 -7
number digits 1 nowhere value doubted|-25 -11 5
number digits 1 own contradicted|3 -6 -7
number digits 1 own row supported|17 7 5
number digits 1 own supported|31 30 30
number digits 1 own value supported|4 19 14
number digits 1 read contradicted|-7 13 0
number digits 1 read value contradicted|6 20 7
number digits 1 worked comparison supported|8 1 0
number digits 1 worked contradicted|30 2 13
number digits 1 worked doubted|0 11 3
number digits 1 worked supported|-10 -10 -1
number digits 1 worked value doubted|-2 19 11
number digits 1 worked value supported|6 8 14
number digits 2 nowhere contradicted|17 27 -1
number digits 2 nowhere doubted|36 50 12
number digits 2 nowhere value contradicted|1 5 -7
number digits 2 nowhere value doubted|13 41 7
number digits 2 own extreme supported|-11 -9 -9
number digits 2 own movement supported|-7 -5 -5
number digits 2 own row supported|-12 -7 -7
number digits 2 own supported|-24 -39 -35
number digits 2 own value supported|5 -18 -13
number digits 2 read contradicted|7 -8 -6
number digits 2 read supported|-6 -8 -9
number digits 2 read value contradicted|-7 -14 -12
number digits 2 worked comparison supported|-5 -5 -5
number digits 2 worked contradicted|-7 -17 -19
number digits 2 worked doubted|-15 -14 -16
number digits 2 worked elsewhere contradicted|14 22 7
number digits 2 worked elsewhere doubted|-5 -13 -14
number digits 2 worked elsewhere value contradicted|2 22 7
number digits 2 worked movement supported|2 -5 -6
number digits 2 worked supported|-25 -13 -32
number digits 2 worked value contradicted|5 -4 -3
number digits 2 worked value supported|-1 4 8
number digits 3 nowhere contradicted|38 22 30
number digits 3 nowhere value contradicted|19 14 0
number digits 3 own extreme supported|-10 -6 -6
number digits 3 own movement supported|-7 -5 -5
number digits 3 own supported|-23 -14 -22
number digits 3 own value supported|0 1 -6
number digits 3 read contradicted|2 -7 -5
number digits 3 read value contradicted|-4 -10 -8
number digits 4 nowhere contradicted|25 2 1
number digits 4 nowhere value contradicted|18 0 1
number digits 4 own supported|0 1 -10
number digits 4 own value supported|-19 -6 -16
number near contradicted|15 22 -15
number near doubted|44 37 18
number near supported|6 -27 -31
number neighbour contradicted|50 6 -5
number neighbour doubted|30 2 16
number neighbour open|8 -4 -16
number neighbour supported|10 -11 -14
number neighbour value contradicted|23 -16 -17
number neighbour value doubted|10 -1 0
number neighbour value open|-7 -8 -20
number neighbour value supported|24 2 3
number off 0.02 comparison supported|20 9 9
number off 0.02 contradicted|-11 -28 -23
number off 0.02 extreme supported|-28 -19 -18
number off 0.02 movement supported|-11 -9 -10
number off 0.02 row supported|20 6 1
number off 0.02 supported|-44 -40 -47
number off 0.02 value supported|-46 -26 -28
number off 0.1 contradicted|6 15 -5
number off 0.1 supported|-12 -14 -14
number off 0.1 value contradicted|18 24 4
number off 0.1 value supported|0 -7 -7
number off 0.3 contradicted|-4 7 -18
number off 0.3 doubted|28 27 14
number off 0.3 supported|30 25 4
number off 0.3 value contradicted|-7 17 -10
number off 0.3 value doubted|18 27 12
number off 0.3 value supported|44 23 13
number off 1 aggregate supported|6 -2 -8
number off 1 comparison contradicted|-42 -32 -32
number off 1 comparison supported|-13 -11 -13
number off 1 contradicted|-13 -30 -23
number off 1 doubted|6 -7 -6
number off 1 movement supported|-11 -6 -17
number off 1 supported|-25 -7 -28
number off 1 value contradicted|-18 -14 9
number off 1 value doubted|8 31 22
number off 1 value open|-15 5 2
number off 1 value supported|1 26 24
number off 5 contradicted|-21 1 12
number off 5 supported|-2 6 28
number off 5 value contradicted|-22 -11 -12
number off 5 value supported|11 16 31
number off 9 supported|16 4 3
number part contradicted|-29 -16 5
number part open|6 32 37
number part supported|17 30 7
number percent contradicted|18 9 1
number percent doubted|28 40 -11
number percent supported|20 8 24
number role , contradicted|4 -21 -21
number role , doubted|-20 -7 -25
number role , supported|-21 -31 -29
number role : contradicted|24 1 3
number role : supported|-2 -10 -2
number role and supported|0 -6 -5
number role are supported|0 -4 -7
number role at supported|-30 -24 -28
number role by contradicted|-14 -21 -14
number role by doubted|9 0 24
number role by supported|-6 10 8
number role costs supported|14 9 17
number role for supported|3 5 -5
number role from supported|16 0 1
number role has supported|-21 -13 -15
number role is contradicted|32 29 24
number role is supported|-23 -12 13
number role of supported|-14 12 2
number role times supported|8 1 0
number role to supported|-9 -9 -20
number role was supported|-3 5 -4
number role with supported|34 10 7
number role → supported|5 -2 -6
number shuffled contradicted|83 17 13
number small contradicted|6 25 34
number small doubted|-33 -1 27
number small open|-7 -19 -14
number small supported|0 -8 33
number spelled contradicted|-24 12 10
number spelled doubted|-80 -82 -56
number spelled open|-25 -9 -5
number spelled supported|8 17 9
number worst count count supported|-5 -6 -8
number worst count doubted|19 6 0
number worst count supported|-5 5 1
number worst count value doubted|0 3 -13
number worst nowhere contradicted|33 37 35
number worst nowhere doubted|27 33 11
number worst nowhere open|29 28 14
number worst nowhere supported|13 -6 -16
number worst nowhere unread|17 28 27
number worst nowhere value contradicted|19 24 19
number worst nowhere value doubted|24 37 27
number worst nowhere value open|12 27 11
number worst nowhere value unread|16 25 19
number worst own contradicted|-41 -39 -40
number worst own doubted|-31 -39 -40
number worst own extreme supported|-10 -12 -12
number worst own movement supported|-15 -12 -13
number worst own row supported|20 6 1
number worst own supported|-5 -18 -33
number worst own value doubted|-44 -44 -45
number worst own value supported|0 1 -16
number worst read contradicted|14 1 -8
number worst read doubted|8 0 7
number worst read open|-6 -24 -20
number worst read supported|-12 -16 -19
number worst read value contradicted|1 -2 -11
number worst read value doubted|-1 -6 -13
number worst read value supported|-5 -12 -14
number worst sentence contradicted|-2 -8 -9
number worst sentence doubted|10 13 34
number worst sentence supported|-14 -9 -2
number worst sentence value contradicted|3 -5 -5
number worst sentence value doubted|12 2 32
number worst sentence value supported|-2 -1 10
number worst worked comparison supported|0 -5 -7
number worst worked contradicted|-16 -29 -25
number worst worked doubted|-33 -21 -16
number worst worked elsewhere contradicted|-11 12 12
number worst worked elsewhere doubted|16 18 7
number worst worked elsewhere supported|17 30 36
number worst worked elsewhere value contradicted|15 34 34
number worst worked elsewhere value doubted|11 24 12
number worst worked movement supported|-4 -13 -16
number worst worked open|-14 -28 -17
number worst worked supported|-14 -14 -16
number worst worked value contradicted|-26 -27 -28
number worst worked value doubted|2 15 19
number worst worked value open|-5 -14 -3
number worst worked value supported|6 10 17
numbers 0 contradicted|56 11 15
numbers 0 doubted|-8 -6 -4
numbers 0 open|6 22 31
numbers 0 supported|25 19 42
numbers 0 unread|-12 -11 -17
numbers 0 unsaid|1 19 58
numbers 1 contradicted|-36 -5 -19
numbers 1 doubted|-11 -3 -1
numbers 1 open|2 1 -18
numbers 1 supported|-6 3 -13
numbers 1 unread|-5 30 14
numbers 2 contradicted|-17 -10 -4
numbers 2 open|-17 -8 -35
numbers 2 supported|-9 -26 -26
open|3 15 -5
other row supported|-27 -15 9
other row value supported|-33 -24 -23
otherwise|24 1 13
otherwise comparison|17 17 14
otherwise comparison supported|5 13 10
otherwise extreme|21 1 1
otherwise extreme supported|27 2 -9
otherwise movement|6 2 17
otherwise movement supported|6 1 10
otherwise supported|19 5 7
otherwise value|-4 -8 -8
part of column contradicted|-3 5 13
part of column supported|-4 -7 -3
part of column unsaid|-12 -18 -6
part of row contradicted|23 -1 8
part of row supported|-7 8 7
plain contradicted|64 12 21
plain row supported|20 6 2
plain supported|-2 -8 13
plain value contradicted|57 10 19
plain value supported|-22 -14 11
pronoun contradicted|-15 20 -21
pronoun doubted|-14 -12 -29
pronoun open|2 19 9
pronoun supported|-27 19 -10
pronoun unread|14 1 6
pronoun unsaid|6 21 -7
reading 1 aggregate supported|13 4 19
reading 1 comparison supported|-18 -28 -45
reading 1 count supported|-15 -14 -16
reading 1 extreme supported|-17 -4 -2
reading 1 movement supported|-17 -9 -3
reading 1 row supported|20 6 1
reading 1 supported|-17 -11 -23
reading 1 value supported|-8 6 -4
reading 2 extreme supported|16 2 -5
reading 2 supported|21 -5 10
reading 2 value supported|0 -7 6
reading 3 supported|5 10 19
reading 3 value supported|3 -3 9
reading 4 supported|-6 1 -22
reading 4 value supported|-5 10 -11
readings 1 comparison contradicted|-14 -17 -31
readings 1 contradicted|36 6 -14
readings 1 doubted|-1 18 -9
readings 1 extreme contradicted|0 -6 -14
readings 1 movement contradicted|1 -11 -11
readings 1 movement doubted|-27 -20 -22
readings 1 value contradicted|-3 15 21
readings 1 value doubted|-3 19 3
readings 2 contradicted|-46 -27 -22
readings 2 doubted|-6 -5 9
readings 2 value doubted|-7 12 21
readings 3 doubted|12 -14 6
readings 3 value doubted|-1 -14 4
readings 4 contradicted|-12 5 4
readings 4 doubted|9 6 -4
readings 4 value doubted|13 15 -9
row far column own nothing unsaid|6 9 61
row far column own value doubted|16 0 21
row far column own value supported|17 0 11
row far contradicted|22 12 15
row far doubted|11 19 19
row far supported|12 47 35
row far unsaid|-10 1 45
row near column far value supported|-15 -12 -15
row near column near nothing unsaid|6 23 1
row near column near value supported|18 1 6
row near column open value supported|49 20 20
row near column own extreme supported|-17 -12 -14
row near column own nothing unsaid|-2 15 -28
row near column own value contradicted|-10 -1 6
row near column own value doubted|-15 8 -5
row near column own value open|-16 -3 -13
row near column own value supported|-13 -19 -19
row near contradicted|-21 -8 -3
row near doubted|-3 -9 -17
row near open|-34 -15 -43
row near supported|7 -37 -33
row near unsaid|-2 48 -40
row open column open nothing unsaid|-9 -11 2
row open column open value doubted|2 10 35
row open column own calculation supported|-13 -6 0
row open column own extreme open|-19 -11 31
row open column own movement supported|-3 -6 -7
row open column own nothing unsaid|14 10 62
row open column own value doubted|2 -14 4
row open column own value supported|14 -5 -10
row open column own value unread|2 26 18
row open contradicted|-5 11 21
row open doubted|-13 0 17
row open open|15 -4 47
row open supported|0 -5 42
row open unread|2 17 27
row open unsaid|-3 -18 40
row own column far movement supported|-1 -5 -6
row own column far value supported|-8 -9 -10
row own column near value supported|-8 -7 2
row own column open calculation supported|-33 -31 -48
row own column open extreme supported|-13 -12 -24
row own column open nothing unsaid|13 19 46
row own column open value supported|2 34 28
row own column own aggregate supported|14 3 -2
row own column own comparison contradicted|23 12 -2
row own column own comparison supported|11 -2 -17
row own column own comparison unread|-1 -3 -14
row own column own extreme contradicted|7 -9 -8
row own column own extreme supported|6 -1 -14
row own column own movement supported|-9 0 -3
row own column own nothing unsaid|-10 -43 -68
row own column own row supported|20 6 1
row own column own value contradicted|1 -2 -21
row own column own value doubted|-16 -6 -4
row own column own value open|-6 -19 -23
row own column own value supported|-26 -8 5
row own contradicted|21 -15 -39
row own doubted|14 -6 -19
row own open|24 19 -15
row own supported|-13 -15 -49
row own unread|-15 -27 -34
row own unsaid|2 -34 -40
row supported|13 0 -5
says about supported|4 9 -2
says above supported|-24 -19 -18
says against supported|-4 -8 -11
says age supported|-3 -3 -10
says all supported|-21 -18 -9
says and contradicted|-8 -27 -22
says and doubted|-19 -20 2
says and supported|-13 -12 -21
says and unsaid|21 1 11
says are doubted|-7 -1 -21
says are supported|-22 -19 -11
says are unsaid|-9 -9 -30
says as contradicted|-5 3 -6
says as supported|13 12 6
says at contradicted|-13 -14 -13
says at doubted|20 30 22
says at supported|27 10 16
says at unsaid|8 1 -5
says between supported|-12 -9 -6
says book supported|7 -1 -4
says both supported|-1 -7 -7
says by contradicted|-8 -25 -19
says by doubted|-24 -12 1
says by supported|8 17 12
says by unsaid|-9 -22 -31
says chart supported|-2 3 19
says come supported|7 11 3
says country supported|-14 -11 -13
says day supported|-4 7 -7
says demand supported|-3 -5 -9
says dollar supported|-4 -5 -7
says each supported|8 -2 -5
says every supported|-22 -20 -25
says exactly supported|0 -8 -10
says for contradicted|-1 2 9
says for supported|9 -1 -10
says for unsaid|26 27 22
says from supported|4 3 -7
says from unsaid|-18 -16 -13
says group supported|-18 -14 -14
says had contradicted|4 -7 -5
says had supported|-6 16 -5
says half supported|19 8 0
says has contradicted|29 8 17
says has supported|-42 -30 -35
says have contradicted|-2 22 0
says have supported|2 2 22
says height supported|25 11 9
says highest supported|-15 -5 7
says important supported|10 0 -1
says in contradicted|3 -9 -28
says in doubted|14 -42 -41
says in open|-16 7 -44
says in supported|12 31 -7
says in unread|22 16 -2
says in unsaid|-12 11 -22
says is contradicted|13 8 36
says is doubted|20 16 27
says is open|-1 15 22
says is supported|-3 -3 -12
says is unsaid|11 13 26
says it contradicted|38 40 24
says it doubted|-10 -18 -15
says it supported|-3 -6 -16
says it unsaid|7 8 -3
says its supported|0 17 14
says just supported|-11 -10 -12
says km supported|24 11 19
says largest supported|-40 -28 -34
says least supported|6 1 8
says line supported|-10 0 -11
says loss supported|12 8 2
says make supported|16 19 4
says many supported|-6 -7 -7
says medal supported|3 6 -1
says million contradicted|5 -3 -6
says million doubted|-4 -20 -21
says million supported|-30 -34 -36
says minute supported|6 -4 -3
says mm supported|-8 -6 -10
says more contradicted|-7 -8 -12
says more supported|-41 -21 -17
says most supported|-16 26 -16
says no supported|-12 -11 -14
says number supported|-22 -17 -23
says of contradicted|-10 -7 6
says of doubted|-27 6 -31
says of open|-6 -9 -42
says of supported|-16 49 18
says of unread|0 -36 -32
says of unsaid|-12 7 -41
says on contradicted|6 12 -2
says on doubted|-2 8 -13
says on supported|-9 -5 -4
says one supported|-10 -5 10
says only supported|7 7 -6
says other supported|-10 -6 0
says over supported|-6 -2 -10
says percentage supported|-3 -8 -10
says person supported|8 -3 -6
says point supported|-18 -11 -3
says price contradicted|7 13 5
says price doubted|17 35 24
says price supported|-23 -8 21
says rate supported|12 15 12
says row supported|-5 -4 7
says same supported|-2 -7 -9
says saturday supported|9 1 0
says share contradicted|23 8 9
says share supported|-12 -17 -20
says sibling supported|-3 -4 -5
says smallest supported|-18 -14 -20
says solar supported|10 18 7
says still supported|1 -5 -4
says student supported|-20 -22 -31
says supply supported|3 -2 -5
says table supported|-4 5 0
says than contradicted|4 -13 -5
says than open|-18 8 -17
says than supported|15 6 -8
says than unread|-4 1 -10
says that contradicted|-4 -2 -7
says that supported|-5 18 12
says that unsaid|-10 -22 -19
says the contradicted|-13 13 6
says the doubted|24 -3 -32
says the open|20 -25 4
says the supported|-22 -37 -32
says the unread|-2 -4 -34
says the unsaid|21 6 8
says them supported|-3 9 -12
says there supported|-7 1 -14
says they supported|-12 -11 -13
says thousand supported|20 19 9
says thursday supported|-2 -3 -5
says time supported|-2 -8 -9
says to contradicted|1 -4 -7
says to doubted|-5 -16 17
says to open|12 1 23
says to supported|2 24 7
says to unsaid|-6 9 14
says together supported|-6 -9 -14
says total supported|-8 -4 1
says twice supported|-7 3 -6
says unit supported|-5 5 -8
says up supported|-14 11 10
says very supported|-13 -13 -14
says was contradicted|4 2 -6
says was supported|24 21 4
says we unsaid|15 9 46
says wednesday supported|-20 -13 -15
says were supported|-8 8 2
says win supported|8 7 15
says with contradicted|20 -1 0
says with supported|23 -10 -24
says with unsaid|-4 -5 22
says woman supported|11 2 1
says year contradicted|-31 -7 -24
says year doubted|-17 1 -21
says year supported|-8 -13 -32
strange 0 contradicted|57 -12 3
strange 0 doubted|13 -23 -11
strange 0 open|-10 12 4
strange 0 supported|-19 -43 -22
strange 0 unsaid|-16 -31 0
strange 1 contradicted|2 7 15
strange 1 doubted|6 8 4
strange 1 open|-9 -11 -8
strange 1 supported|-41 -38 3
strange 1 unread|-5 30 6
strange 1 unsaid|4 -6 21
strange 2 contradicted|33 19 7
strange 2 doubted|6 26 16
strange 2 open|-9 21 -19
strange 2 supported|-13 -32 -40
strange 2 unread|1 29 17
strange 2 unsaid|13 6 -1
strange 3 contradicted|-10 1 -19
strange 3 doubted|-4 2 -23
strange 3 open|10 -13 22
strange 3 supported|33 15 18
strange 3 unread|8 -49 -15
strange 3 unsaid|-29 -8 -40
strange 4 contradicted|-57 -45 -42
strange 4 doubted|5 13 24
strange 4 supported|32 51 18
strange 4 unsaid|4 30 0
strange 5 supported|-12 -7 -6
strange doubted|12 54 16
strange value doubted|-26 35 -2
supported|5 -10 -5
unbound doubted|9 14 19
unbound value doubted|4 14 10
unknown 0 contradicted|17 -47 -12
unknown 0 doubted|30 3 5
unknown 0 open|-4 -25 11
unknown 0 supported|-9 -80 -39
unknown 0 unsaid|7 -37 -16
unknown 1 contradicted|3 1 -21
unknown 1 doubted|10 -18 -28
unknown 1 open|-24 11 -24
unknown 1 supported|-17 -25 -19
unknown 1 unread|20 47 32
unknown 1 unsaid|-26 3 -19
unknown 2 contradicted|-19 22 12
unknown 2 doubted|-11 1 7
unknown 2 supported|2 32 14
unknown 2 unread|-1 2 12
unknown 2 unsaid|-1 9 14
unknown 3 doubted|-12 22 19
unknown 3 supported|-12 -11 -14
unknown 3 unsaid|2 7 23
unknown 4 supported|41 73 52
unknown 4 unsaid|5 14 3
unread|-16 19 -3
unsaid|-13 -3 5
unsure doubted|-1 -40 -26
unsure extreme doubted|-10 -1 -18
unsure movement doubted|-2 -16 -19
unsure value doubted|7 -18 12
value contradicted|-3 28 22
value doubted|2 31 19
value open|-18 -2 -14
value supported|17 18 12
value unread|-8 24 -3
word all supported|-21 -18 -9
word both supported|-1 -7 -7
word each supported|8 -2 -5
word every supported|-22 -20 -25
word first supported|-14 -5 7
word half supported|19 8 0
word only supported|7 7 -6
word other supported|-10 -6 0
word same supported|-2 -7 -9
word second supported|39 30 29
word twice supported|-7 3 -6
"""
