// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.4.17;

/// A dollar token in the manner of Tether's contract of 2017: transfers return nothing, one owner issues, freezes and
/// destroys frozen funds. `destroyBlackFunds` lowers a balance without a Transfer event. Event and function names are
/// those of the original.
contract TetherToken {
    string public name;
    string public symbol;
    uint public decimals;
    uint public _totalSupply;
    address public owner;
    bool public paused;
    mapping(address => uint) private balances;
    mapping(address => mapping(address => uint)) public allowed;
    mapping(address => bool) public isBlackListed;

    event Transfer(address indexed from, address indexed to, uint value);
    event Approval(address indexed owner, address indexed spender, uint value);
    event Issue(uint amount);
    event Redeem(uint amount);
    event AddedBlackList(address _user);
    event RemovedBlackList(address _user);
    event DestroyedBlackFunds(address _blackListedUser, uint _balance);
    event Pause();
    event Unpause();

    function TetherToken(uint _initialSupply, string _name, string _symbol, uint _decimals) public {
        owner = msg.sender;
        name = _name;
        symbol = _symbol;
        decimals = _decimals;
        _totalSupply = _initialSupply;
        balances[owner] = _initialSupply;
    }

    modifier onlyOwner() {
        require(msg.sender == owner);
        _;
    }

    function totalSupply() public constant returns (uint) {
        return _totalSupply;
    }

    function balanceOf(address who) public constant returns (uint) {
        return balances[who];
    }

    function allowance(address _owner, address _spender) public constant returns (uint) {
        return allowed[_owner][_spender];
    }

    function transfer(address _to, uint _value) public {
        require(!isBlackListed[msg.sender]);
        move(msg.sender, _to, _value);
    }

    function transferFrom(address _from, address _to, uint _value) public {
        require(!isBlackListed[_from]);
        require(allowed[_from][msg.sender] >= _value);
        if (allowed[_from][msg.sender] < uint(-1)) allowed[_from][msg.sender] -= _value;
        move(_from, _to, _value);
    }

    /// An allowance must be set to 0 before it is changed.
    function approve(address _spender, uint _value) public {
        require(!(_value != 0 && allowed[msg.sender][_spender] != 0));
        allowed[msg.sender][_spender] = _value;
        Approval(msg.sender, _spender, _value);
    }

    function issue(uint amount) public onlyOwner {
        balances[owner] += amount;
        _totalSupply += amount;
        Issue(amount);
    }

    function redeem(uint amount) public onlyOwner {
        require(balances[owner] >= amount);
        balances[owner] -= amount;
        _totalSupply -= amount;
        Redeem(amount);
    }

    function getBlackListStatus(address _maker) external constant returns (bool) {
        return isBlackListed[_maker];
    }

    function addBlackList(address _evilUser) public onlyOwner {
        isBlackListed[_evilUser] = true;
        AddedBlackList(_evilUser);
    }

    function removeBlackList(address _clearedUser) public onlyOwner {
        isBlackListed[_clearedUser] = false;
        RemovedBlackList(_clearedUser);
    }

    function destroyBlackFunds(address _blackListedUser) public onlyOwner {
        require(isBlackListed[_blackListedUser]);
        uint dirtyFunds = balances[_blackListedUser];
        balances[_blackListedUser] = 0;
        _totalSupply -= dirtyFunds;
        DestroyedBlackFunds(_blackListedUser, dirtyFunds);
    }

    function transferOwnership(address newOwner) public onlyOwner {
        if (newOwner != address(0)) owner = newOwner;
    }

    function pause() public onlyOwner {
        paused = true;
        Pause();
    }

    function unpause() public onlyOwner {
        paused = false;
        Unpause();
    }

    function move(address _from, address _to, uint _value) private {
        require(!paused);
        require(balances[_from] >= _value);
        balances[_from] -= _value;
        balances[_to] += _value;
        Transfer(_from, _to, _value);
    }
}
