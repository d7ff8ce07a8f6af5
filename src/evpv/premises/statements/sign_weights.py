"""What the signs of a statement are worth, in hundredths, for being wrong, missing and nothing at all rather than right: written by
`scripts/fit_reader.py`, not by hand."""

CONSTANT = (-0.04, -1.52, -0.69)
WEIGHTS = """\
absent unread|-11 44 7
after contradicted extreme supported|-18 -10 -2
after contradicted supported|42 20 13
after contradicted value supported|30 10 11
after doubted supported|-12 -6 -3
after doubted value supported|-4 -2 -5
after open supported|15 18 21
after open value supported|-8 2 -7
aggregate contradicted|-18 -2 28
aggregate supported|10 4 23
alone False contradicted|-2 -32 -8
alone False doubted|3 -41 9
alone False open|-39 -44 -15
alone False supported|-16 -42 0
alone False unread|-34 -37 -9
alone True contradicted|47 36 18
alone True doubted|6 45 -8
alone True open|27 45 34
alone True supported|-8 2 -28
alone True unread|18 56 6
alternative extreme supported|12 7 26
alternative supported|45 32 31
alternative value supported|18 10 -2
any column supported|16 27 0
any column value supported|14 21 8
aside supported|38 6 -6
beside 0 doubted contradicted|34 17 11
beside 0 doubted doubted|26 58 -1
beside 0 doubted open|10 34 19
beside 0 doubted supported|-43 -56 -52
beside 0 doubted unread|-10 26 -30
beside 0 right contradicted|7 26 22
beside 0 right doubted|-16 6 -6
beside 0 right open|-1 15 2
beside 0 right supported|-22 -3 -16
beside 0 right unread|6 30 -2
beside 0 wrong contradicted|49 17 -37
beside 0 wrong doubted|11 18 -10
beside 0 wrong open|-19 29 -19
beside 0 wrong supported|-94 -33 -56
beside 0 wrong unread|-3 72 -20
beside 1 doubted contradicted|0 -14 -1
beside 1 doubted doubted|8 -24 22
beside 1 doubted open|-14 -4 24
beside 1 doubted supported|0 3 -15
beside 1 right contradicted|-6 -2 -3
beside 1 right doubted|8 21 -14
beside 1 right open|13 22 -9
beside 1 right supported|12 14 11
beside 1 right unread|-15 6 -15
beside 1 wrong contradicted|31 7 43
beside 1 wrong doubted|-5 -12 4
beside 1 wrong open|0 -27 15
beside 1 wrong supported|-4 -42 -24
beside 2 doubted doubted|-26 -30 -21
beside 2 doubted open|-9 -28 -24
beside 2 doubted supported|18 13 40
beside 2 right contradicted|6 -5 16
beside 2 right doubted|-2 -16 18
beside 2 right open|8 21 22
beside 2 right supported|-9 -21 -13
beside 2 wrong contradicted|-35 -20 5
beside 2 wrong supported|73 35 52
beside 3 right contradicted|38 -15 -26
beside 3 right doubted|18 -6 2
beside 3 right open|-32 -57 3
beside 3 right supported|-6 -30 -10
calculation supported|-16 -14 3
column far contradicted|4 0 26
column far doubted|16 32 17
column far supported|8 25 6
column far unsaid|-13 -11 -17
column near contradicted|-3 -5 -25
column near doubted|-8 -19 -25
column near supported|-2 -9 -23
column near unsaid|-12 -17 -47
column open contradicted|-28 -12 -7
column open doubted|-4 24 18
column open supported|12 27 28
column open unsaid|1 31 41
column own contradicted|43 16 0
column own doubted|5 -32 -10
column own open|5 27 2
column own supported|-12 -54 -17
column own unread|2 31 13
column own unsaid|8 -9 27
comparison contradicted|-47 -34 -35
comparison open|-6 24 19
comparison supported|-21 -19 -39
comparison unread|1 7 -3
computed missing|-29 -21 57
computed supported|-17 9 28
contradicted|16 0 -5
count supported|-30 -23 -26
cue as supported|2 -5 -7
cue beats supported|-13 -16 -20
cue both supported|-21 -21 -23
cue both unsaid|8 -12 7
cue every contradicted|-13 -14 14
cue every doubted|-15 -27 -28
cue every open|-28 -47 -46
cue every supported|-25 -42 -46
cue every unsaid|5 0 11
cue falls contradicted|15 17 1
cue falls doubted|-40 -34 -40
cue falls supported|17 21 9
cue from contradicted|1 -6 -11
cue from doubted|1 -10 -13
cue from open|-27 -24 -17
cue from supported|2 -4 -19
cue from unsaid|-5 -1 -3
cue hedge contradicted|-33 -16 -8
cue hedge doubted|-11 29 2
cue hedge supported|4 14 -8
cue hedge unsaid|-9 5 19
cue least contradicted|34 18 8
cue least supported|24 4 -14
cue less contradicted|10 -7 -6
cue less supported|27 10 -1
cue less unsaid|10 1 -18
cue more contradicted|-11 -15 -6
cue more doubted|-4 -10 -22
cue more supported|7 -3 -2
cue more unread|23 38 13
cue more unsaid|8 19 -21
cue most contradicted|-33 -32 -27
cue most doubted|-3 5 -9
cue most open|-6 -7 -13
cue most supported|6 5 13
cue not doubted|12 -12 0
cue not supported|65 18 10
cue not unsaid|-23 -6 -12
cue only contradicted|-46 -25 -34
cue only doubted|-19 -32 -42
cue only supported|-3 -3 -18
cue only unsaid|-27 -36 -35
cue over contradicted|-41 -38 -13
cue over doubted|5 2 4
cue over supported|6 5 -10
cue over unsaid|-12 0 -44
cue rises contradicted|0 -10 -10
cue rises doubted|16 9 -4
cue rises supported|16 7 19
cue same supported|-9 -13 -16
cue so supported|0 10 39
cue steady supported|-5 -2 3
cue than contradicted|11 -11 -2
cue than open|-9 12 -13
cue than supported|0 -5 -19
cue than unread|-9 -12 -18
cue times supported|7 1 -1
cue to contradicted|12 0 -2
cue to doubted|1 -18 17
cue to open|6 -7 17
cue to supported|-7 29 2
cue to unsaid|-10 2 5
cue total supported|-2 -5 16
cue total unsaid|-6 -9 3
cue twice contradicted|-10 -2 -12
cue twice supported|0 8 -11
cue under contradicted|-30 -20 -29
cue under supported|38 20 3
denied unsaid|1 21 21
derived contradicted|-25 -19 0
derived doubted|-9 -17 60
derived open|-10 -48 -46
derived supported|14 13 45
derived unsaid|12 16 67
doubted|9 4 0
extreme contradicted|-4 -15 -20
extreme doubted|4 0 -14
extreme open|-3 -16 0
extreme supported|12 0 -9
idle doubted|-27 -30 -22
idle open|-3 -16 -3
idle unread|2 -13 -3
length 0 contradicted|10 -3 -25
length 0 doubted|11 -10 7
length 0 open|-6 8 20
length 0 supported|-18 -31 -9
length 0 unsaid|7 17 -4
length 1 contradicted|-3 34 21
length 1 doubted|8 37 31
length 1 open|13 21 16
length 1 supported|-43 -47 -22
length 1 unread|-8 29 15
length 1 unsaid|-4 26 45
length 2 contradicted|37 2 30
length 2 doubted|-5 8 -11
length 2 open|-5 -7 -34
length 2 supported|13 30 24
length 2 unread|-3 64 28
length 2 unsaid|-30 -27 -23
length 3 contradicted|2 -21 -11
length 3 doubted|1 -17 -18
length 3 supported|25 34 -1
length 3 unsaid|12 -8 11
length 4 supported|13 2 4
loose column contradicted|-71 -45 -45
loose column supported|23 28 31
loose row contradicted|-53 50 4
loose row supported|20 16 37
movement contradicted|23 2 -4
movement doubted|-7 -21 -24
movement supported|-8 -8 6
nameless doubted|-19 -11 15
nameless open|19 -1 45
nameless supported|0 1 36
nameless unread|-9 -7 13
nameless unsaid|-5 -27 46
names 0 contradicted|-9 23 36
names 0 doubted|-55 6 -1
names 0 open|9 38 26
names 0 supported|10 23 42
names 0 unread|-7 30 23
names 0 unsaid|-8 39 74
names 1 contradicted|17 -10 -9
names 1 doubted|32 16 -5
names 1 open|18 16 9
names 1 supported|-9 10 -25
names 1 unread|15 25 5
names 1 unsaid|-3 -17 -39
names 2 contradicted|13 -11 -18
names 2 doubted|29 -9 11
names 2 open|-22 -24 -27
names 2 supported|-9 -39 -17
names 2 unsaid|-32 -24 -18
names 3 contradicted|-6 -2 -15
names 3 doubted|3 -8 -5
names 3 supported|13 -5 -5
names 3 unsaid|27 -5 -13
nothing unsaid|-15 -7 4
number best count doubted|8 1 -5
number best nowhere contradicted|13 32 17
number best nowhere doubted|19 32 9
number best nowhere supported|-4 -12 -20
number best nowhere unread|17 28 27
number best own contradicted|-3 -34 -38
number best own doubted|-7 -31 -31
number best own open|-18 -22 -32
number best own supported|-35 -44 -66
number best read contradicted|9 -1 -10
number best read doubted|8 0 7
number best read supported|-7 -9 -13
number best sentence contradicted|-4 -9 -9
number best sentence doubted|10 13 34
number best sentence supported|-4 -5 3
number best worked contradicted|-12 -16 9
number best worked doubted|-34 -21 -16
number best worked elsewhere contradicted|-13 8 2
number best worked elsewhere doubted|12 17 5
number best worked supported|0 -2 -6
number bound doubted|13 -11 19
number bound supported|53 44 25
number digits 1 count doubted|-13 -9 -21
number digits 1 count supported|-19 1 -2
number digits 1 count value doubted|-16 -6 -27
number digits 1 nowhere contradicted|-47 -14 6
number digits 1 nowhere doubted|-34 -23 -7
number digits 1 nowhere value doubted|-25 -11 5
number digits 1 own contradicted|3 -6 -7
number digits 1 own row supported|18 7 5
number digits 1 own supported|32 30 31
number digits 1 own value supported|5 20 15
number digits 1 read contradicted|-7 13 0
number digits 1 read value contradicted|6 20 7
number digits 1 worked comparison supported|7 1 0
number digits 1 worked contradicted|30 2 13
number digits 1 worked doubted|0 11 3
number digits 1 worked supported|-11 -11 -1
number digits 1 worked value doubted|-3 19 11
number digits 1 worked value supported|6 9 15
number digits 2 nowhere contradicted|17 27 -1
number digits 2 nowhere doubted|36 50 12
number digits 2 nowhere value contradicted|1 5 -7
number digits 2 nowhere value doubted|13 41 7
number digits 2 own extreme supported|-9 -8 -8
number digits 2 own movement supported|-8 -6 -5
number digits 2 own row supported|-12 -7 -7
number digits 2 own supported|-23 -39 -35
number digits 2 own value supported|5 -18 -13
number digits 2 read contradicted|7 -8 -6
number digits 2 read supported|-5 -8 -9
number digits 2 read value contradicted|-7 -14 -12
number digits 2 worked comparison supported|-6 -5 -5
number digits 2 worked contradicted|-6 -16 -19
number digits 2 worked doubted|-15 -14 -16
number digits 2 worked elsewhere contradicted|14 22 7
number digits 2 worked elsewhere doubted|-5 -13 -14
number digits 2 worked elsewhere value contradicted|2 22 7
number digits 2 worked movement supported|1 -5 -6
number digits 2 worked supported|-25 -13 -31
number digits 2 worked value supported|0 5 9
number digits 3 nowhere contradicted|39 23 30
number digits 3 nowhere value contradicted|19 14 0
number digits 3 own extreme supported|-11 -6 -7
number digits 3 own movement supported|-7 -5 -5
number digits 3 own supported|-23 -13 -22
number digits 3 own value supported|0 2 -5
number digits 3 read contradicted|2 -7 -5
number digits 3 read value contradicted|-4 -10 -8
number digits 4 nowhere contradicted|25 2 1
number digits 4 nowhere value contradicted|18 0 1
number digits 4 own supported|0 1 -10
number digits 4 own value supported|-19 -6 -16
number near contradicted|15 22 -15
number near doubted|44 37 18
number near supported|4 -27 -31
number neighbour contradicted|50 6 -6
number neighbour doubted|30 2 16
number neighbour open|8 -4 -16
number neighbour supported|8 -12 -15
number neighbour value contradicted|24 -16 -17
number neighbour value doubted|10 -1 -1
number neighbour value open|-7 -7 -20
number neighbour value supported|24 2 4
number off 0.02 comparison supported|19 9 9
number off 0.02 contradicted|-11 -28 -23
number off 0.02 extreme supported|-27 -18 -18
number off 0.02 movement supported|-11 -10 -10
number off 0.02 row supported|22 7 1
number off 0.02 supported|-42 -39 -46
number off 0.02 value supported|-44 -25 -28
number off 0.1 contradicted|6 15 -5
number off 0.1 supported|-11 -13 -13
number off 0.1 value contradicted|18 24 5
number off 0.1 value supported|1 -7 -6
number off 0.3 contradicted|-4 7 -18
number off 0.3 doubted|28 27 14
number off 0.3 supported|29 25 3
number off 0.3 value contradicted|-7 17 -10
number off 0.3 value doubted|18 27 12
number off 0.3 value supported|45 23 14
number off 1 aggregate supported|7 -2 -7
number off 1 comparison contradicted|-43 -33 -32
number off 1 comparison supported|-13 -11 -13
number off 1 contradicted|-14 -30 -23
number off 1 doubted|6 -7 -6
number off 1 movement supported|-11 -6 -17
number off 1 supported|-27 -7 -27
number off 1 value contradicted|-18 -14 9
number off 1 value doubted|8 31 22
number off 1 value open|-15 5 2
number off 1 value supported|2 26 25
number off 5 contradicted|-20 1 12
number off 5 supported|-1 7 29
number off 5 value contradicted|-22 -11 -12
number off 5 value supported|11 16 31
number off 9 supported|16 4 3
number part contradicted|-29 -16 5
number part open|6 32 37
number part supported|16 30 6
number percent contradicted|18 9 0
number percent doubted|28 40 -11
number percent supported|19 8 24
number role , contradicted|5 -20 -21
number role , doubted|-20 -7 -25
number role , supported|-21 -30 -29
number role : contradicted|24 1 3
number role : supported|-2 -10 -2
number role and supported|1 -6 -4
number role are supported|0 -4 -7
number role at supported|-30 -24 -27
number role by contradicted|-13 -20 -14
number role by doubted|9 0 24
number role by supported|-7 10 8
number role costs supported|14 9 16
number role for supported|2 5 -5
number role from supported|18 1 2
number role has supported|-20 -13 -15
number role is contradicted|32 29 23
number role is supported|-23 -12 13
number role of supported|-16 11 1
number role times supported|8 1 0
number role to supported|-8 -8 -20
number role was supported|-2 5 -3
number role with supported|35 10 7
number role → supported|4 -2 -7
number shuffled contradicted|82 17 13
number small contradicted|6 25 33
number small doubted|-32 0 27
number small open|-6 -18 -14
number small supported|0 -8 33
number spelled contradicted|-23 12 10
number spelled doubted|-80 -82 -56
number spelled open|-24 -9 -5
number spelled supported|5 16 9
number worst count count supported|-7 -7 -9
number worst count doubted|19 6 0
number worst count supported|-8 4 0
number worst count value doubted|0 3 -12
number worst nowhere contradicted|34 38 35
number worst nowhere doubted|27 33 11
number worst nowhere open|29 28 14
number worst nowhere supported|14 -6 -16
number worst nowhere unread|17 28 27
number worst nowhere value contradicted|19 24 19
number worst nowhere value doubted|24 37 27
number worst nowhere value open|12 27 11
number worst nowhere value unread|16 25 19
number worst own contradicted|-41 -39 -40
number worst own doubted|-31 -39 -39
number worst own extreme supported|-10 -12 -12
number worst own movement supported|-16 -13 -13
number worst own row supported|22 7 1
number worst own supported|-4 -18 -33
number worst own value doubted|-45 -44 -45
number worst own value supported|1 1 -16
number worst read contradicted|14 1 -8
number worst read doubted|8 0 7
number worst read open|-6 -24 -20
number worst read supported|-12 -16 -19
number worst read value contradicted|1 -1 -11
number worst read value doubted|-1 -6 -13
number worst read value supported|-4 -12 -14
number worst sentence contradicted|-2 -8 -9
number worst sentence doubted|10 13 34
number worst sentence supported|-15 -10 -2
number worst sentence value contradicted|3 -5 -5
number worst sentence value doubted|12 2 32
number worst sentence value supported|-3 -2 9
number worst worked aggregate supported|-1 -3 5
number worst worked comparison supported|-2 -6 -8
number worst worked contradicted|-16 -29 -25
number worst worked doubted|-33 -21 -16
number worst worked elsewhere contradicted|-11 11 12
number worst worked elsewhere doubted|16 18 7
number worst worked elsewhere supported|16 30 37
number worst worked elsewhere value contradicted|15 34 34
number worst worked elsewhere value doubted|11 25 12
number worst worked movement supported|-5 -14 -16
number worst worked open|-14 -28 -17
number worst worked supported|-15 -14 -16
number worst worked value contradicted|-26 -28 -28
number worst worked value doubted|2 15 19
number worst worked value open|-5 -14 -3
number worst worked value supported|7 11 18
numbers 0 contradicted|55 10 14
numbers 0 doubted|-8 -6 -4
numbers 0 open|6 22 32
numbers 0 supported|29 19 43
numbers 0 unread|-11 -11 -17
numbers 0 unsaid|4 24 60
numbers 1 contradicted|-35 -4 -19
numbers 1 doubted|-11 -2 -1
numbers 1 open|2 2 -18
numbers 1 supported|-8 3 -13
numbers 1 unread|-4 30 14
numbers 2 contradicted|-17 -10 -5
numbers 2 open|-17 -8 -35
numbers 2 supported|-11 -26 -26
open|4 16 -5
other row supported|-16 -10 11
other row value supported|-38 -26 -24
otherwise|31 3 12
otherwise comparison|12 16 12
otherwise comparison supported|6 14 11
otherwise extreme|18 0 0
otherwise extreme supported|30 3 -8
otherwise movement|23 8 20
otherwise movement supported|1 -1 10
otherwise supported|19 7 8
otherwise value|-6 -9 -9
otherwise value supported|1 2 5
part of column contradicted|-2 6 14
part of column supported|-8 -8 -4
part of column unsaid|-12 -18 -5
part of row contradicted|22 -1 8
part of row supported|8 14 13
plain contradicted|64 12 21
plain row supported|21 7 2
plain supported|0 -7 13
plain value contradicted|57 10 19
plain value supported|-21 -14 11
pronoun contradicted|-15 20 -21
pronoun doubted|-14 -12 -29
pronoun open|2 19 9
pronoun supported|-30 19 -10
pronoun unread|14 1 6
pronoun unsaid|7 22 -7
reading 1 aggregate supported|14 5 19
reading 1 comparison supported|-18 -28 -46
reading 1 count supported|-15 -13 -16
reading 1 extreme supported|-18 -3 -2
reading 1 movement supported|-10 -6 -3
reading 1 row supported|22 7 1
reading 1 supported|-9 -6 -21
reading 1 value supported|-9 6 -4
reading 2 extreme supported|18 3 -4
reading 2 supported|19 -6 11
reading 2 value supported|0 -7 6
reading 3 supported|6 11 19
reading 3 value supported|3 -2 9
reading 4 supported|-5 2 -22
reading 4 value supported|-4 11 -11
readings 1 comparison contradicted|-16 -18 -33
readings 1 contradicted|41 10 -11
readings 1 doubted|1 20 -8
readings 1 extreme contradicted|-1 -7 -14
readings 1 movement contradicted|12 -4 -4
readings 1 movement doubted|-27 -20 -22
readings 1 value contradicted|-5 15 20
readings 1 value doubted|-4 18 3
readings 2 contradicted|-51 -30 -25
readings 2 doubted|-8 -7 8
readings 2 value doubted|-6 12 21
readings 3 doubted|12 -14 6
readings 3 value doubted|-1 -14 4
readings 4 contradicted|-12 6 4
readings 4 doubted|9 6 -4
readings 4 value doubted|13 15 -9
row far column own nothing unsaid|6 8 61
row far column own value doubted|16 -1 21
row far column own value supported|17 1 12
row far contradicted|22 12 15
row far doubted|11 19 19
row far supported|10 47 34
row far unsaid|-11 -2 44
row near column far value supported|-14 -12 -15
row near column near nothing unsaid|5 22 1
row near column near value supported|18 1 6
row near column open value supported|48 20 20
row near column own extreme supported|-17 -12 -14
row near column own nothing unsaid|-2 16 -28
row near column own value contradicted|-11 -1 5
row near column own value doubted|-15 8 -5
row near column own value open|-16 -3 -13
row near column own value supported|-12 -18 -19
row near contradicted|-20 -7 -2
row near doubted|-3 -8 -17
row near open|-34 -14 -43
row near supported|6 -37 -33
row near unsaid|-2 47 -40
row open column open nothing unsaid|-9 -11 2
row open column open value doubted|2 10 35
row open column own calculation supported|-16 -8 -1
row open column own extreme open|-19 -11 31
row open column own movement supported|11 -1 -5
row open column own nothing unsaid|14 10 62
row open column own value doubted|2 -14 4
row open column own value supported|12 -6 -11
row open column own value unread|2 26 18
row open contradicted|-8 10 21
row open doubted|-13 0 17
row open open|15 -4 47
row open supported|3 -5 42
row open unread|2 17 27
row open unsaid|-4 -19 39
row own column far movement supported|-1 -5 -5
row own column far value supported|-7 -9 -10
row own column near value supported|-6 -7 3
row own column open calculation supported|-34 -33 -49
row own column open extreme supported|-11 -11 -23
row own column open nothing unsaid|13 19 46
row own column open value supported|3 34 28
row own column own aggregate supported|15 3 -1
row own column own comparison contradicted|23 12 -1
row own column own comparison supported|16 0 -15
row own column own comparison unread|-1 -3 -14
row own column own extreme contradicted|7 -9 -8
row own column own extreme supported|6 -1 -14
row own column own movement supported|-12 -2 -4
row own column own nothing unsaid|-10 -43 -68
row own column own row supported|22 7 1
row own column own value contradicted|1 -2 -21
row own column own value doubted|-16 -6 -4
row own column own value open|-6 -19 -23
row own column own value supported|-27 -8 5
row own contradicted|21 -15 -39
row own doubted|14 -6 -19
row own open|24 20 -15
row own supported|-13 -15 -49
row own unread|-15 -27 -34
row own unsaid|2 -33 -40
row supported|14 1 -5
says about supported|6 10 -2
says above supported|-24 -19 -18
says against supported|-6 -9 -12
says age supported|-5 -4 -11
says all supported|-25 -19 -9
says and contradicted|-11 -28 -23
says and doubted|-19 -20 2
says and supported|-11 -13 -25
says and unsaid|22 2 11
says are doubted|-6 -1 -21
says are supported|-22 -19 -10
says are unsaid|-9 -9 -30
says as contradicted|-5 3 -6
says as supported|11 12 6
says at contradicted|-13 -14 -13
says at doubted|20 30 22
says at supported|24 9 15
says at unsaid|8 -1 -6
says between supported|-14 -10 -7
says book supported|5 -2 -5
says both supported|-2 -8 -7
says by contradicted|-7 -25 -18
says by doubted|-24 -12 1
says by supported|6 17 12
says by unsaid|-9 -22 -31
says chart supported|-3 3 19
says come supported|8 11 3
says country supported|-16 -12 -14
says day supported|-7 5 -8
says demand supported|-7 -8 -11
says dollar supported|-3 -4 -6
says each supported|4 -4 -6
says every supported|-27 -23 -27
says exactly supported|0 -8 -10
says for contradicted|0 3 9
says for supported|7 -3 -11
says for unsaid|26 27 21
says from supported|3 3 -7
says from unsaid|-18 -15 -12
says group supported|-18 -13 -14
says grow supported|-3 -7 -8
says had contradicted|5 -7 -5
says had supported|-7 16 -5
says half supported|18 8 0
says has contradicted|30 9 17
says has supported|-44 -32 -37
says have contradicted|-1 22 0
says have supported|0 1 22
says height supported|24 10 8
says highest supported|-15 -5 7
says important supported|11 0 -1
says in contradicted|5 -8 -28
says in doubted|14 -42 -41
says in open|-16 7 -44
says in supported|6 29 -8
says in unread|22 16 -2
says in unsaid|-11 12 -22
says is contradicted|14 8 36
says is doubted|20 16 27
says is open|-1 15 22
says is supported|-7 -5 -14
says is unsaid|11 14 26
says it contradicted|37 40 24
says it doubted|-10 -18 -15
says it supported|-2 -5 -15
says it unsaid|8 10 -2
says its supported|-1 16 14
says just supported|-11 -10 -12
says km supported|25 12 19
says largest supported|-42 -29 -35
says least supported|6 1 8
says line supported|-8 1 -10
says loss supported|11 8 1
says make supported|16 19 3
says man supported|-2 -5 -6
says many supported|-7 -7 -7
says medal supported|2 6 -2
says million contradicted|5 -3 -6
says million doubted|-5 -20 -21
says million supported|-30 -34 -36
says minute supported|7 -3 -2
says mm supported|-8 -7 -10
says more contradicted|-6 -8 -12
says more supported|-57 -28 -24
says most supported|-16 27 -16
says no supported|-14 -12 -15
says number supported|-24 -17 -23
says of contradicted|-9 -7 6
says of doubted|-26 7 -31
says of open|-6 -8 -41
says of supported|-6 52 22
says of unread|0 -36 -32
says of unsaid|-12 8 -41
says on contradicted|7 12 -2
says on doubted|-2 8 -13
says on supported|-13 -7 -6
says one supported|-13 -6 9
says only supported|7 7 -6
says other supported|-10 -6 0
says over supported|11 4 -8
says percentage supported|-4 -8 -11
says person supported|6 -4 -7
says point supported|-19 -11 -3
says price contradicted|7 14 6
says price doubted|17 35 24
says price supported|-28 -9 20
says quantity supported|-2 -3 -5
says rate supported|10 15 12
says row supported|-6 -4 7
says same supported|-3 -8 -9
says saturday supported|9 1 1
says share supported|15 -5 -8
says sibling supported|-3 -3 -5
says smallest supported|-21 -15 -21
says solar supported|9 18 6
says student supported|-21 -23 -31
says supply supported|39 15 12
says table supported|-5 5 0
says than contradicted|5 -13 -4
says than open|-18 8 -17
says than supported|23 9 -5
says than unread|-4 1 -10
says that contradicted|-3 -2 -6
says that supported|-5 17 12
says that unsaid|-10 -21 -19
says the contradicted|-13 13 5
says the doubted|24 -3 -32
says the open|21 -25 4
says the supported|-28 -40 -34
says the unread|-2 -4 -34
says the unsaid|22 8 9
says them supported|-3 9 -12
says there supported|-7 2 -14
says they supported|-11 -10 -12
says thousand supported|20 19 9
says thursday supported|-3 -4 -5
says time supported|-1 -7 -8
says to contradicted|2 -4 -7
says to doubted|-5 -16 17
says to open|13 2 23
says to supported|0 23 7
says to unsaid|-6 9 13
says together supported|-6 -9 -14
says total supported|-8 -5 2
says twice supported|-11 1 -8
says unit supported|-6 5 -8
says up supported|-16 10 10
says very supported|-12 -13 -14
says was contradicted|3 2 -6
says was supported|21 20 4
says we unsaid|16 10 47
says wednesday supported|-21 -13 -15
says were supported|-8 9 2
says win supported|7 6 14
says with contradicted|21 0 0
says with supported|21 -11 -25
says with unsaid|-4 -5 21
says woman supported|8 1 -1
says year contradicted|-31 -8 -24
says year doubted|-17 1 -21
says year supported|-11 -13 -32
strange 0 contradicted|56 -13 2
strange 0 doubted|13 -23 -11
strange 0 open|-10 13 4
strange 0 supported|-21 -45 -22
strange 0 unsaid|-18 -35 -1
strange 1 contradicted|2 7 15
strange 1 doubted|6 8 4
strange 1 open|-9 -11 -8
strange 1 supported|-38 -37 4
strange 1 unread|-5 30 6
strange 1 unsaid|3 -10 20
strange 2 contradicted|34 20 8
strange 2 doubted|6 27 16
strange 2 open|-9 21 -19
strange 2 supported|-15 -32 -40
strange 2 unread|1 29 17
strange 2 unsaid|13 6 -2
strange 3 contradicted|-12 1 -19
strange 3 doubted|-4 3 -22
strange 3 open|10 -12 22
strange 3 supported|40 17 17
strange 3 unread|8 -48 -15
strange 3 unsaid|-28 -6 -39
strange 4 contradicted|-56 -44 -42
strange 4 doubted|5 13 24
strange 4 supported|33 51 18
strange 4 unsaid|4 32 0
strange 5 supported|-14 -8 -6
strange doubted|12 55 16
strange value doubted|-26 35 -2
supported|6 -11 -5
unbound doubted|9 14 19
unbound value doubted|4 14 10
unknown 0 contradicted|18 -47 -12
unknown 0 doubted|30 3 5
unknown 0 open|-4 -24 10
unknown 0 supported|-7 -79 -37
unknown 0 unsaid|5 -41 -17
unknown 1 contradicted|1 1 -21
unknown 1 doubted|10 -18 -28
unknown 1 open|-24 11 -24
unknown 1 supported|-15 -25 -21
unknown 1 unread|20 47 32
unknown 1 unsaid|-27 2 -19
unknown 2 contradicted|-19 22 11
unknown 2 doubted|-11 1 7
unknown 2 supported|0 33 15
unknown 2 unread|-1 2 12
unknown 2 unsaid|-1 10 14
unknown 3 doubted|-12 22 19
unknown 3 supported|-14 -12 -15
unknown 3 unsaid|3 7 23
unknown 4 supported|41 73 52
unknown 4 unsaid|6 16 3
unread|-16 19 -3
unsaid|-15 -7 4
unsure doubted|-1 -40 -26
unsure extreme doubted|-10 -1 -18
unsure movement doubted|-2 -16 -19
unsure value doubted|7 -18 12
value contradicted|-3 28 21
value doubted|3 31 20
value open|-18 -2 -14
value supported|19 19 13
value unread|-8 24 -3
word all supported|-25 -19 -9
word both supported|-2 -8 -7
word each supported|4 -4 -6
word every supported|-27 -23 -27
word first supported|-15 -6 6
word half supported|18 8 0
word only supported|7 7 -6
word other supported|-10 -6 0
word same supported|-3 -8 -9
word second supported|39 30 28
word twice supported|-11 1 -8
"""
