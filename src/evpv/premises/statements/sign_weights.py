"""What the signs of a statement are worth, in hundredths, for being wrong, missing and nothing at all rather than right: written by
`scripts/fit_reader.py`, not by hand."""

CONSTANT = (-0.0, -1.53, -0.69)
WEIGHTS = """\
absent unread|-11 44 7
after contradicted extreme supported|-11 -7 -1
after contradicted supported|34 18 14
after contradicted value supported|34 12 13
after doubted supported|-9 -5 -2
after doubted value supported|-4 -2 -5
after open supported|15 18 21
after open value supported|-8 2 -7
aggregate contradicted|-19 -3 28
aggregate supported|7 2 19
alone False contradicted|3 -29 -4
alone False doubted|2 -41 10
alone False open|-39 -42 -16
alone False supported|-8 -39 1
alone False unread|-34 -37 -9
alone True contradicted|42 33 14
alone True doubted|6 45 -9
alone True open|26 45 34
alone True supported|-15 0 -28
alone True unread|18 56 6
alternative extreme supported|18 10 27
alternative supported|41 31 33
alternative value supported|23 12 1
any column supported|13 26 -1
any column value supported|11 20 7
aside supported|41 7 -5
beside 0 doubted contradicted|33 16 11
beside 0 doubted doubted|27 58 -4
beside 0 doubted open|13 36 21
beside 0 doubted supported|-46 -55 -51
beside 0 doubted unread|-10 27 -30
beside 0 right contradicted|5 24 20
beside 0 right doubted|-15 6 -7
beside 0 right open|-2 16 3
beside 0 right supported|-17 -1 -15
beside 0 right unread|6 30 -2
beside 0 wrong contradicted|47 17 -39
beside 0 wrong doubted|9 17 -10
beside 0 wrong open|-18 31 -20
beside 0 wrong supported|-96 -33 -56
beside 0 wrong unread|-3 72 -20
beside 1 doubted contradicted|2 -13 -1
beside 1 doubted doubted|10 -23 24
beside 1 doubted open|-17 -6 22
beside 1 doubted supported|4 5 -15
beside 1 right doubted|4 18 -18
beside 1 right open|9 22 -11
beside 1 right supported|9 13 10
beside 1 right unread|-16 6 -15
beside 1 wrong contradicted|32 7 43
beside 1 wrong doubted|-5 -12 5
beside 1 wrong open|-1 -27 17
beside 1 wrong supported|-3 -42 -25
beside 2 doubted doubted|-28 -31 -19
beside 2 doubted open|-9 -27 -24
beside 2 doubted supported|18 12 38
beside 2 right contradicted|8 -3 17
beside 2 right doubted|0 -17 17
beside 2 right open|9 23 25
beside 2 right supported|-10 -20 -9
beside 2 wrong contradicted|-34 -19 5
beside 2 wrong supported|75 36 53
beside 3 right contradicted|37 -16 -26
beside 3 right doubted|19 -4 9
beside 3 right open|-29 -59 2
beside 3 right supported|-5 -30 -13
calculates|-20 -52 -6
calculation supported|-7 -7 8
column far contradicted|3 0 27
column far doubted|18 34 19
column far supported|8 26 8
column far unsaid|-13 -10 -18
column near contradicted|-3 -4 -25
column near doubted|-8 -20 -27
column near supported|-2 -9 -23
column near unsaid|-14 -16 -46
column open contradicted|-30 -14 -9
column open doubted|-6 23 21
column open supported|13 28 28
column open unsaid|8 32 41
column own contradicted|45 18 1
column own doubted|4 -33 -11
column own open|4 26 1
column own supported|-13 -55 -19
column own unread|1 31 13
column own unsaid|7 -9 28
comparison contradicted|-48 -33 -33
comparison open|-5 25 19
comparison supported|-20 -17 -38
comparison unread|0 7 -3
computed missing|-32 -24 56
computed supported|-18 9 28
contradicted|14 -1 -6
count supported|-24 -19 -22
cue as supported|-6 -9 -10
cue beats supported|-11 -15 -20
cue both supported|-19 -20 -22
cue both unsaid|7 -13 7
cue every contradicted|-7 -11 17
cue every doubted|-16 -29 -28
cue every open|-28 -47 -46
cue every supported|-35 -46 -46
cue every unsaid|4 -1 11
cue falls contradicted|15 18 2
cue falls doubted|-38 -32 -39
cue falls supported|19 21 10
cue from contradicted|-2 -7 -11
cue from doubted|0 -12 -15
cue from open|-28 -24 -17
cue from supported|7 -2 -17
cue from unsaid|-6 -2 -3
cue hedge contradicted|-32 -15 -7
cue hedge doubted|-10 28 3
cue hedge supported|8 15 -7
cue hedge unsaid|-9 5 18
cue least contradicted|34 19 9
cue least supported|23 3 -14
cue less contradicted|12 -5 -4
cue less supported|31 11 0
cue less unsaid|9 0 -18
cue more contradicted|-14 -16 -6
cue more doubted|-5 -10 -23
cue more supported|-8 -10 -8
cue more unread|23 38 13
cue more unsaid|15 16 -22
cue most contradicted|-33 -32 -26
cue most doubted|-3 5 -10
cue most open|-6 -7 -12
cue most supported|2 2 11
cue not doubted|13 -12 -2
cue not supported|49 13 9
cue not unsaid|-24 -8 -12
cue only contradicted|-44 -25 -33
cue only doubted|-24 -37 -48
cue only supported|1 -1 -16
cue only unsaid|-28 -38 -36
cue over contradicted|-36 -37 -10
cue over doubted|6 3 5
cue over supported|5 7 -5
cue over unsaid|-4 1 -45
cue rises contradicted|6 -8 -9
cue rises doubted|15 9 -6
cue rises supported|8 5 20
cue same supported|-8 -13 -17
cue so supported|2 11 41
cue than contradicted|8 -12 -2
cue than open|-9 12 -14
cue than supported|-8 -8 -23
cue than unread|-9 -12 -18
cue to contradicted|11 0 -2
cue to doubted|-3 -21 15
cue to open|6 -8 17
cue to supported|-3 30 3
cue to unsaid|-11 1 5
cue total supported|1 -4 16
cue total unsaid|-7 -8 4
cue trails supported|0 -5 -5
cue twice contradicted|-5 0 -9
cue twice supported|8 11 -7
cue under contradicted|-30 -22 -32
cue under supported|42 23 7
denied unsaid|1 20 21
derived contradicted|-27 -19 2
derived doubted|-8 -16 61
derived open|-12 -49 -47
derived supported|9 10 43
derived unsaid|19 19 67
doubted|9 4 1
extreme contradicted|-4 -15 -18
extreme doubted|5 1 -15
extreme open|-3 -16 0
extreme supported|9 -2 -11
idle doubted|-29 -32 -20
idle open|-2 -15 -1
idle unread|2 -13 -3
length 0 contradicted|8 -4 -26
length 0 doubted|15 -5 14
length 0 open|-6 8 20
length 0 supported|-13 -30 -8
length 0 unsaid|3 13 -5
length 1 contradicted|-8 33 20
length 1 doubted|11 38 30
length 1 open|13 21 17
length 1 supported|-39 -46 -22
length 1 unread|-8 29 15
length 1 unsaid|-8 23 44
length 2 contradicted|35 0 26
length 2 doubted|-11 3 -17
length 2 open|-6 -9 -35
length 2 supported|4 29 24
length 2 unread|-3 64 28
length 2 unsaid|-24 -23 -22
length 3 contradicted|6 -19 -8
length 3 doubted|2 -17 -17
length 3 supported|24 34 -2
length 3 unsaid|16 -3 13
length 4 supported|15 3 5
loose column contradicted|-66 -42 -43
loose column supported|23 28 31
loose row contradicted|-53 50 4
loose row supported|21 17 38
movement contradicted|26 4 -4
movement doubted|-4 -19 -22
movement supported|-11 -8 8
nameless doubted|-30 -16 11
nameless open|18 -3 43
nameless supported|-12 -5 28
nameless unread|-9 -7 13
nameless unsaid|-7 -28 46
names 0 contradicted|-10 19 31
names 0 doubted|-61 4 -4
names 0 open|8 37 25
names 0 supported|4 20 37
names 0 unread|-7 30 23
names 0 unsaid|-4 42 75
names 1 contradicted|20 -7 -6
names 1 doubted|29 13 -6
names 1 open|18 15 9
names 1 supported|-8 11 -24
names 1 unread|15 25 5
names 1 unsaid|-2 -15 -39
names 2 contradicted|11 -11 -17
names 2 doubted|36 -5 15
names 2 open|-21 -24 -26
names 2 supported|2 -34 -12
names 2 unsaid|-32 -24 -17
names 3 contradicted|-7 -2 -15
names 3 doubted|4 -7 -3
names 3 supported|9 -6 -7
names 3 unsaid|25 -6 -13
nothing unsaid|-12 -3 5
number best count doubted|7 -3 1
number best nowhere contradicted|11 31 16
number best nowhere doubted|22 33 9
number best nowhere supported|-4 -12 -19
number best nowhere unread|17 28 27
number best own contradicted|-14 -33 -35
number best own doubted|-18 -31 -36
number best own open|-24 -19 -42
number best own supported|-34 -40 -59
number best read contradicted|8 -2 -11
number best read doubted|10 -5 8
number best read supported|4 -7 -12
number best sentence contradicted|-1 -9 -10
number best sentence supported|-6 -7 -3
number best worked contradicted|-7 -16 -6
number best worked doubted|-25 -9 -6
number best worked elsewhere contradicted|-11 8 12
number best worked elsewhere doubted|3 4 -9
number best worked elsewhere supported|8 19 30
number bound doubted|10 -14 16
number bound supported|60 47 29
number digits 1 count doubted|-14 -14 -15
number digits 1 count supported|-21 -1 -5
number digits 1 count value doubted|-17 -11 -19
number digits 1 nowhere contradicted|-45 -12 7
number digits 1 nowhere doubted|-33 -23 -7
number digits 1 nowhere value doubted|-23 -10 5
number digits 1 own contradicted|0 -6 -7
number digits 1 own row supported|17 7 5
number digits 1 own supported|30 27 24
number digits 1 own value supported|5 22 21
number digits 1 read contradicted|7 15 0
number digits 1 read value contradicted|6 21 7
number digits 1 worked comparison supported|8 1 1
number digits 1 worked contradicted|26 1 0
number digits 1 worked doubted|-4 13 -12
number digits 1 worked elsewhere contradicted|-5 1 18
number digits 1 worked elsewhere doubted|9 17 17
number digits 1 worked elsewhere value doubted|0 14 15
number digits 1 worked supported|-8 -10 -6
number digits 1 worked value doubted|-4 21 -4
number digits 1 worked value supported|7 9 16
number digits 2 nowhere contradicted|16 27 -1
number digits 2 nowhere doubted|38 52 12
number digits 2 nowhere value contradicted|1 4 -7
number digits 2 nowhere value doubted|15 42 7
number digits 2 own extreme supported|-9 -7 -6
number digits 2 own movement supported|-7 -5 -5
number digits 2 own row supported|-13 -7 -8
number digits 2 own supported|-23 -37 -31
number digits 2 own value supported|4 -17 -11
number digits 2 read contradicted|6 -9 -7
number digits 2 read doubted|8 4 4
number digits 2 read supported|-13 -13 -15
number digits 2 read value contradicted|-7 -14 -12
number digits 2 read value supported|-7 -10 -11
number digits 2 sentence supported|-16 -15 -21
number digits 2 worked comparison supported|-7 -6 -6
number digits 2 worked contradicted|-9 -17 -17
number digits 2 worked elsewhere contradicted|14 22 7
number digits 2 worked elsewhere doubted|-9 -16 -27
number digits 2 worked elsewhere value contradicted|2 22 7
number digits 2 worked elsewhere value doubted|-6 -6 -18
number digits 2 worked movement supported|2 -5 -6
number digits 2 worked supported|-23 -11 -26
number digits 2 worked value contradicted|5 -4 -3
number digits 2 worked value supported|0 5 10
number digits 3 nowhere contradicted|38 22 29
number digits 3 nowhere value contradicted|19 13 0
number digits 3 own extreme supported|-10 -6 -6
number digits 3 own movement supported|-6 -4 -4
number digits 3 own supported|-25 -12 -17
number digits 3 read contradicted|1 -8 -6
number digits 3 read value contradicted|-5 -10 -8
number digits 4 nowhere contradicted|24 1 1
number digits 4 nowhere value contradicted|18 0 1
number digits 4 own supported|-1 1 -10
number digits 4 own value supported|-21 -6 -17
number near contradicted|17 24 -14
number near doubted|46 37 18
number near supported|8 -26 -30
number neighbour contradicted|46 6 -5
number neighbour doubted|28 2 15
number neighbour open|9 -3 -14
number neighbour supported|10 -9 -9
number neighbour value contradicted|21 -16 -16
number neighbour value doubted|7 -2 -2
number neighbour value open|-6 -7 -19
number neighbour value supported|24 4 7
number off 0.02 comparison supported|19 9 9
number off 0.02 contradicted|-3 -24 -19
number off 0.02 extreme supported|-28 -19 -18
number off 0.02 movement supported|-10 -9 -10
number off 0.02 row supported|20 6 1
number off 0.02 supported|-39 -39 -47
number off 0.02 value supported|-40 -25 -29
number off 0.1 contradicted|6 15 -4
number off 0.1 supported|-11 -13 -13
number off 0.1 value contradicted|18 24 4
number off 0.1 value supported|0 -7 -6
number off 0.3 contradicted|-5 7 -18
number off 0.3 doubted|28 26 14
number off 0.3 supported|27 24 3
number off 0.3 value contradicted|-7 17 -10
number off 0.3 value doubted|18 26 12
number off 0.3 value supported|43 22 13
number off 1 aggregate supported|8 -2 -6
number off 1 comparison contradicted|-41 -32 -31
number off 1 comparison supported|-12 -11 -12
number off 1 contradicted|-12 -29 -20
number off 1 doubted|6 -7 -7
number off 1 movement supported|-11 -7 -17
number off 1 supported|-27 -6 -26
number off 1 value contradicted|-18 -14 8
number off 1 value doubted|8 32 22
number off 1 value open|-15 5 2
number off 1 value supported|-4 24 24
number off 5 contradicted|-19 2 13
number off 5 supported|-1 7 31
number off 5 value contradicted|-21 -10 -12
number off 5 value supported|11 16 32
number off 9 supported|16 4 2
number part contradicted|-23 -14 8
number part open|4 31 36
number part supported|24 33 9
number percent contradicted|21 10 1
number percent doubted|27 35 -14
number percent supported|21 8 24
number role , contradicted|2 -22 -23
number role , doubted|-18 -5 -23
number role , supported|-21 -31 -29
number role : contradicted|25 2 3
number role : supported|-4 -12 -4
number role and supported|0 -6 -4
number role are supported|-1 -5 -7
number role at supported|-30 -24 -28
number role by contradicted|-14 -21 -14
number role by doubted|9 0 23
number role by supported|-6 9 7
number role costs supported|15 9 17
number role for supported|3 5 -6
number role from supported|16 0 0
number role has supported|-20 -12 -14
number role is contradicted|32 28 23
number role is supported|-26 -15 9
number role of supported|-16 11 1
number role to supported|-10 -10 -22
number role was supported|-5 4 -4
number role with supported|35 10 7
number role → supported|1 -4 -9
number shuffled contradicted|82 17 13
number small contradicted|3 21 29
number small doubted|-35 -4 24
number small open|-6 -18 -14
number small supported|4 -6 37
number spelled contradicted|-22 11 10
number spelled doubted|-81 -81 -56
number spelled open|-25 -10 -6
number spelled supported|8 18 10
number worst count count supported|-7 -8 -10
number worst count doubted|19 2 6
number worst count supported|-8 3 -2
number worst count value doubted|0 -2 -6
number worst nowhere contradicted|33 38 36
number worst nowhere doubted|30 34 11
number worst nowhere open|30 29 15
number worst nowhere supported|13 -5 -15
number worst nowhere unread|17 28 27
number worst nowhere value contradicted|20 24 21
number worst nowhere value doubted|28 40 27
number worst nowhere value open|12 28 11
number worst nowhere value unread|16 25 19
number worst own comparison contradicted|-30 -19 -19
number worst own contradicted|-40 -37 -38
number worst own doubted|-37 -36 -43
number worst own extreme supported|-8 -10 -10
number worst own movement supported|-14 -12 -12
number worst own row supported|20 6 1
number worst own supported|-9 -17 -30
number worst own value supported|-4 5 -3
number worst read contradicted|24 1 -9
number worst read doubted|5 -7 6
number worst read open|-5 -24 -20
number worst read supported|-3 -15 -19
number worst read value contradicted|0 -1 -11
number worst read value doubted|-5 -13 -14
number worst read value supported|-1 -17 -28
number worst sentence contradicted|1 -8 -9
number worst sentence supported|-13 -11 -6
number worst sentence value contradicted|2 -5 -6
number worst sentence value supported|0 0 9
number worst worked comparison supported|-2 -6 -8
number worst worked contradicted|-22 -31 -42
number worst worked doubted|-29 -11 -8
number worst worked elsewhere contradicted|-18 6 15
number worst worked elsewhere doubted|11 9 -5
number worst worked elsewhere supported|7 22 28
number worst worked elsewhere value contradicted|19 35 31
number worst worked elsewhere value doubted|4 15 1
number worst worked movement supported|-5 -14 -17
number worst worked open|-7 -21 -6
number worst worked supported|-8 -9 -11
number worst worked value contradicted|-24 -26 -24
number worst worked value doubted|11 27 28
number worst worked value supported|7 11 19
numbers 0 contradicted|52 11 13
numbers 0 doubted|-6 -5 -4
numbers 0 open|6 23 32
numbers 0 supported|28 23 49
numbers 0 unread|-12 -10 -17
numbers 0 unsaid|2 20 58
numbers 1 contradicted|-31 -1 -16
numbers 1 doubted|-11 -1 2
numbers 1 open|2 1 -18
numbers 1 supported|-7 0 -18
numbers 1 unread|-5 30 14
numbers 2 contradicted|-18 -13 -7
numbers 2 open|-18 -10 -36
numbers 2 supported|-10 -26 -27
open|3 14 -5
other row supported|-26 -14 10
other row value supported|-31 -23 -22
otherwise|26 3 15
otherwise comparison|13 15 12
otherwise comparison supported|4 12 9
otherwise extreme|20 1 0
otherwise extreme supported|26 1 -10
otherwise movement|4 1 17
otherwise movement supported|4 0 10
otherwise supported|21 7 8
otherwise value|-5 -9 -8
part of column contradicted|-1 6 14
part of column supported|-6 -7 -3
part of column unsaid|-11 -17 -5
part of row contradicted|25 0 9
part of row supported|-8 7 7
plain contradicted|65 12 21
plain row supported|20 6 2
plain supported|-2 -8 13
plain value contradicted|58 10 19
plain value supported|-22 -15 11
pronoun contradicted|-13 21 -19
pronoun doubted|-16 -16 -32
pronoun open|2 19 9
pronoun supported|-27 19 -11
pronoun unread|14 1 6
pronoun unsaid|5 21 -6
reading 1 aggregate supported|11 2 16
reading 1 comparison supported|-15 -25 -43
reading 1 count supported|-18 -16 -18
reading 1 extreme supported|-17 -3 -1
reading 1 movement supported|-15 -8 -1
reading 1 row supported|20 6 1
reading 1 supported|-17 -11 -25
reading 1 value supported|-9 4 -8
reading 2 extreme supported|15 2 -6
reading 2 supported|23 -4 12
reading 2 value supported|-1 -7 5
reading 3 supported|5 10 19
reading 3 value supported|2 -3 8
reading 4 supported|-6 1 -23
reading 4 value supported|-6 9 -12
readings 1 comparison contradicted|-17 -16 -31
readings 1 contradicted|36 8 -14
readings 1 doubted|4 23 -5
readings 1 extreme contradicted|-1 -7 -14
readings 1 movement contradicted|2 -10 -10
readings 1 movement doubted|-25 -19 -22
readings 1 value contradicted|-4 15 19
readings 1 value doubted|-2 22 7
readings 2 contradicted|-49 -29 -24
readings 2 doubted|-4 -3 13
readings 2 value doubted|-5 14 25
readings 3 doubted|3 -21 0
readings 3 value doubted|-6 -19 -1
readings 4 contradicted|-12 5 5
readings 4 doubted|11 6 -5
readings 4 value doubted|14 14 -10
row far column own nothing unsaid|6 9 61
row far column own value doubted|17 1 23
row far column own value supported|17 1 11
row far contradicted|21 12 15
row far doubted|12 19 19
row far supported|13 48 36
row far unsaid|-11 0 45
row near column far value supported|-15 -12 -15
row near column near nothing unsaid|3 23 1
row near column near value supported|19 1 6
row near column open value supported|42 17 17
row near column own extreme supported|-17 -12 -14
row near column own nothing unsaid|-4 15 -27
row near column own value contradicted|-11 -1 4
row near column own value doubted|-12 10 -2
row near column own value open|-15 -2 -12
row near column own value supported|-10 -17 -17
row near contradicted|-19 -5 0
row near doubted|0 -7 -15
row near open|-34 -14 -42
row near supported|6 -37 -32
row near unsaid|4 49 -40
row open column open nothing unsaid|-11 -11 2
row open column open value doubted|7 17 46
row open column own calculation supported|-12 -5 2
row open column own extreme open|-18 -11 32
row open column own movement supported|-3 -6 -5
row open column own nothing unsaid|14 10 62
row open column own value doubted|-6 -22 -6
row open column own value supported|7 -10 -18
row open column own value unread|2 26 18
row open contradicted|-8 4 16
row open doubted|-17 -2 17
row open open|14 -5 46
row open supported|-1 -6 39
row open unread|2 17 27
row open unsaid|-5 -19 40
row own column far movement supported|-2 -5 -6
row own column far value supported|-8 -9 -10
row own column near value supported|-6 -7 2
row own column open calculation supported|-34 -32 -50
row own column open extreme supported|-13 -12 -24
row own column open nothing unsaid|11 19 46
row own column open value supported|3 33 27
row own column own aggregate supported|14 3 -1
row own column own comparison contradicted|22 13 -1
row own column own comparison supported|14 1 -15
row own column own comparison unread|-1 -3 -13
row own column own extreme contradicted|7 -9 -8
row own column own extreme supported|5 -2 -14
row own column own movement supported|-8 0 -2
row own column own nothing unsaid|-9 -43 -68
row own column own row supported|20 6 1
row own column own value contradicted|1 -2 -22
row own column own value doubted|-11 -1 0
row own column own value open|-5 -19 -22
row own column own value supported|-24 -7 6
row own contradicted|21 -12 -38
row own doubted|14 -6 -20
row own open|25 20 -14
row own supported|-12 -15 -49
row own unread|-15 -27 -34
row own unsaid|0 -34 -40
row supported|12 0 -5
says about supported|3 8 -4
says above supported|-22 -18 -17
says against supported|-3 -7 -11
says age supported|-3 -2 -10
says all supported|-22 -19 -10
says and contradicted|-14 -31 -27
says and doubted|-24 -24 -3
says and supported|-17 -13 -21
says and unsaid|29 1 10
says are doubted|-7 -3 -24
says are supported|-21 -19 -11
says are unsaid|-10 -9 -30
says as contradicted|-5 3 -5
says as supported|5 9 3
says at contradicted|-14 -13 -12
says at doubted|17 26 17
says at supported|27 10 15
says at unsaid|8 1 -5
says bar supported|5 0 -1
says between supported|-11 -9 -6
says book supported|8 -1 -4
says both supported|-1 -8 -8
says by contradicted|-9 -25 -19
says by doubted|-25 -14 -1
says by supported|10 18 13
says by unsaid|-9 -22 -31
says chart supported|-4 1 18
says come supported|7 11 3
says country supported|-14 -12 -13
says day supported|-3 7 -6
says demand supported|-3 -5 -8
says dollar supported|-4 -5 -7
says each supported|8 -2 -5
says every supported|-22 -21 -25
says exactly supported|0 -8 -10
says for contradicted|-2 2 9
says for doubted|-5 18 11
says for supported|10 -1 -11
says for unsaid|26 27 22
says from contradicted|-1 0 -5
says from supported|5 4 -6
says from unsaid|-18 -15 -13
says group supported|-17 -13 -13
says had contradicted|5 -6 -4
says had supported|-7 15 -5
says half supported|14 8 0
says has contradicted|30 9 17
says has supported|-42 -30 -35
says have contradicted|-2 22 0
says have supported|1 1 20
says height supported|25 10 9
says highest supported|-16 -6 6
says important supported|10 -1 -1
says in contradicted|-1 -12 -32
says in doubted|12 -44 -45
says in open|-17 6 -45
says in supported|13 32 -6
says in unread|22 16 -2
says in unsaid|-13 11 -22
says is contradicted|13 8 36
says is doubted|20 17 34
says is open|-1 16 22
says is supported|-2 -3 -13
says is unsaid|10 13 27
says it contradicted|37 41 25
says it doubted|-14 -21 -19
says it supported|-2 -6 -15
says it unsaid|7 8 -3
says its supported|0 17 14
says just supported|-11 -9 -11
says km supported|22 10 16
says largest supported|-41 -29 -35
says least supported|7 1 8
says line supported|-10 0 -12
says loss supported|13 9 2
says make supported|16 19 4
says many supported|-5 -6 -6
says medal supported|2 6 -2
says million contradicted|7 -3 -6
says million doubted|-6 -21 -23
says million supported|-30 -34 -36
says minute supported|6 -3 -2
says mm supported|-7 -6 -10
says more contradicted|-8 -8 -12
says more supported|-44 -22 -18
says most supported|-16 27 -16
says no supported|-11 -11 -14
says number supported|-23 -17 -23
says of contradicted|-11 -9 3
says of doubted|-21 11 -27
says of open|-6 -9 -42
says of supported|-14 48 17
says of unread|-1 -36 -32
says of unsaid|-14 7 -41
says on contradicted|8 12 -1
says on doubted|-3 7 -16
says on supported|-9 -6 -5
says one supported|-19 -9 7
says only supported|7 7 -6
says other supported|-10 -6 -1
says over supported|-6 -2 -10
says percentage supported|-3 -8 -10
says person supported|9 -2 -6
says point supported|-19 -11 -3
says price contradicted|8 14 5
says price doubted|18 35 24
says price supported|-23 -7 21
says quantity supported|5 0 -2
says rate supported|13 16 13
says row supported|-5 -4 7
says same supported|-3 -8 -10
says saturday supported|11 2 2
says share contradicted|22 8 8
says share supported|-13 -18 -21
says sibling supported|-3 -4 -5
says smallest supported|-18 -14 -20
says solar supported|11 18 7
says student supported|-19 -22 -31
says supply supported|3 -2 -5
says table supported|-4 5 -1
says than contradicted|2 -13 -4
says than open|-18 8 -17
says than supported|12 5 -9
says than unread|-4 1 -10
says that contradicted|-4 -2 -7
says that supported|-4 18 12
says that unsaid|-10 -22 -19
says the contradicted|-11 11 3
says the doubted|21 -6 -36
says the open|20 -25 5
says the supported|-21 -36 -31
says the unread|-2 -4 -34
says the unsaid|17 6 8
says them supported|-3 9 -11
says there supported|-6 2 -13
says they supported|-13 -11 -13
says thousand supported|21 20 10
says thursday supported|-3 -4 -5
says time supported|-11 -11 -12
says to contradicted|0 -5 -7
says to doubted|-9 -19 16
says to open|12 1 23
says to supported|3 24 7
says to unsaid|-6 9 14
says together supported|-6 -9 -14
says total supported|-8 -4 2
says twice supported|-7 3 -7
says unit supported|-5 6 -7
says up supported|-15 10 8
says very supported|-13 -13 -14
says was contradicted|2 2 -6
says was supported|24 21 5
says we unsaid|14 9 46
says wednesday supported|-19 -12 -14
says were supported|-8 9 2
says win supported|8 6 15
says with contradicted|21 -1 0
says with supported|24 -10 -23
says with unsaid|-4 -5 22
says woman supported|12 3 1
says year contradicted|-28 -6 -22
says year doubted|-17 2 -21
says year supported|-8 -12 -31
strange 0 contradicted|58 -12 3
strange 0 doubted|15 -21 -5
strange 0 open|-10 12 3
strange 0 supported|-19 -44 -24
strange 0 unsaid|-15 -30 0
strange 1 contradicted|4 9 16
strange 1 doubted|0 2 -7
strange 1 open|-8 -12 -8
strange 1 supported|-44 -39 1
strange 1 unread|-5 30 6
strange 1 unsaid|8 -7 20
strange 2 contradicted|28 16 4
strange 2 doubted|7 28 21
strange 2 open|-10 21 -20
strange 2 supported|-11 -30 -38
strange 2 unread|1 29 17
strange 2 unsaid|11 6 -1
strange 3 contradicted|-10 2 -18
strange 3 doubted|0 5 -21
strange 3 open|10 -12 22
strange 3 supported|34 15 18
strange 3 unread|8 -49 -15
strange 3 unsaid|-30 -8 -39
strange 4 contradicted|-59 -45 -42
strange 4 doubted|6 14 26
strange 4 supported|33 51 18
strange 4 unsaid|2 31 0
strange 5 supported|-11 -6 -4
strange doubted|12 55 17
strange value doubted|-25 36 -1
supported|7 -9 -6
two names comparison contradicted|39 10 12
two names comparison supported|-8 -10 -3
two names contradicted|32 -1 1
two names doubted|-7 -15 -1
two names movement supported|-20 -14 -16
two names supported|-15 -20 -11
two names value supported|-4 1 9
unbound doubted|9 13 18
unbound value doubted|4 14 10
unknown 0 contradicted|13 -49 -14
unknown 0 doubted|29 3 6
unknown 0 open|-5 -25 10
unknown 0 supported|-5 -78 -38
unknown 0 unsaid|5 -37 -16
unknown 1 contradicted|3 2 -21
unknown 1 doubted|11 -16 -27
unknown 1 open|-23 11 -23
unknown 1 supported|-20 -26 -20
unknown 1 unread|20 48 32
unknown 1 unsaid|-22 3 -19
unknown 2 contradicted|-21 22 12
unknown 2 doubted|-9 2 9
unknown 2 supported|2 32 13
unknown 2 unread|-1 2 12
unknown 2 unsaid|-2 9 14
unknown 3 doubted|-14 21 18
unknown 3 supported|-11 -11 -14
unknown 3 unsaid|2 7 23
unknown 4 supported|41 73 52
unknown 4 unsaid|5 15 3
unread|-16 20 -3
unsaid|-12 -3 5
unsure doubted|-3 -41 -26
unsure extreme doubted|-9 -1 -19
unsure movement doubted|1 -14 -18
unsure value doubted|4 -21 12
value contradicted|-5 28 20
value doubted|1 31 21
value open|-19 -4 -15
value supported|13 13 5
value unread|-8 24 -3
word all supported|-22 -19 -10
word both supported|-1 -8 -8
word each supported|8 -2 -5
word every supported|-22 -21 -25
word first supported|-14 -6 7
word half supported|14 8 0
word only supported|7 7 -6
word other supported|-10 -6 -1
word same supported|-3 -8 -10
word second supported|39 30 28
word twice supported|-7 3 -7
"""
